// SPDX-License-Identifier: Apache-2.0
// Staging: one file comes out of whatever was handed in, and nothing else gets in.
#include "grader/stage.h"

#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/base/error.h"
#include "grader/sha256.h"
#include "tests/grader/archives.h"
#include "tests/grader/temporary.h"

namespace lockstep::grader {
namespace {

StagedSubmission stage(const std::string& path, const StageLimits& limits = {}) {
  return stage_submission({"someone", path}, "hw02.cu", limits);
}

TEST(Stage, TakesAPlainFileOfAnyName) {
  TemporaryFolder t;
  t.write("alice.cu", "code");
  StagedSubmission s = stage(t.path("alice.cu"));
  EXPECT_EQ(s.problem, "");
  EXPECT_EQ(s.contents, "code");
  EXPECT_EQ(s.hash, sha256("code"));
  EXPECT_EQ(s.file, "");
}

TEST(Stage, FindsTheNamedFileInAFolderAndPrefersTheTop) {
  TemporaryFolder t;
  t.write("bob/old/hw02.cu", "old");
  t.write("bob/hw02.cu", "new");
  t.write("bob/helper.cu", "other");
  EXPECT_EQ(stage(t.path("bob")).contents, "new");
}

TEST(Stage, TakesTheOnlySourceFileWhateverItsName) {
  TemporaryFolder t;
  t.write("bob/src/my_work.cu", "code");
  t.write("bob/report.pdf", "x");
  EXPECT_EQ(stage(t.path("bob")).contents, "code");
  EXPECT_EQ(stage(t.path("bob")).file, "src/my_work.cu");
}

TEST(Stage, SaysWhichFilesItCannotChooseBetween) {
  TemporaryFolder t;
  t.write("bob/a.cu", "1");
  t.write("bob/b.cu", "2");
  StagedSubmission s = stage(t.path("bob"));
  EXPECT_NE(s.problem.find("which file"), std::string::npos) << s.problem;
  EXPECT_TRUE(s.contents.empty());
}

TEST(Stage, FollowsNoSymbolicLink) {
  TemporaryFolder t;
  t.write("secret.cu", "secret");
  t.write("eve/readme", "x");
  std::filesystem::create_symlink(t.path("secret.cu"), t.path("eve/hw02.cu"));
  std::filesystem::create_symlink(t.path("secret.cu"), t.path("direct.cu"));
  std::filesystem::create_directory_symlink(t.path("eve"), t.path("linked"));
  EXPECT_NE(stage(t.path("eve")).problem, "");
  EXPECT_NE(stage(t.path("direct.cu")).problem.find("symbolic link"), std::string::npos);
  EXPECT_NE(stage(t.path("linked")).problem.find("symbolic link"), std::string::npos);
  t.write("mallory/x", "x");
  std::filesystem::create_directory_symlink(t.path(), t.path("mallory/inner"));
  EXPECT_NE(stage(t.path("mallory")).problem.find("no hw02.cu"), std::string::npos);
}

TEST(Stage, TakesNoPipeAndDoesNotWaitForIt) {
  TemporaryFolder t;
  ASSERT_EQ(mkfifo(t.path("hw02.cu").c_str(), 0600), 0);
  EXPECT_NE(stage(t.path("hw02.cu")).problem, "");
  EXPECT_NE(stage(t.path()).problem, "");
}

TEST(Stage, BoundsFileSizeCountAndDepth) {
  TemporaryFolder t;
  StageLimits limits;
  limits.file_bytes = 1000;
  limits.entries = 20;
  t.write("big.cu", std::string(2000, 'x'));
  EXPECT_NE(stage(t.path("big.cu"), limits).problem.find("larger"), std::string::npos);
  for (int i = 0; i < 30; ++i) t.write("many/" + std::to_string(i), "");
  EXPECT_NE(stage(t.path("many"), limits).problem.find("more than 20"), std::string::npos);
  std::string deep = "deep";
  for (int i = 0; i < 5; ++i) deep += "/" + std::string(200, 'd');
  std::filesystem::create_directories(t.path(deep));
  EXPECT_NE(stage(t.path("deep")).problem.find("no hw02.cu"), std::string::npos);
  std::filesystem::create_directories(t.path(deep + "/" + std::string(30, 'd')));
  EXPECT_NE(stage(t.path("deep")).problem.find("lie too deep"), std::string::npos);
  t.write("empty.cu", "");
  EXPECT_NE(stage(t.path("empty.cu")).problem.find("empty"), std::string::npos);
}

// Resident memory of this process at its most, in bytes.
int64_t peak_bytes() {
  rusage use{};
  getrusage(RUSAGE_SELF, &use);
  return int64_t{use.ru_maxrss} << 10;
}

// Nothing is read of what is not taken, however much there is; in a process of its own.
TEST(Stage, HoldsOneFileOfAFolderOfSources) {
  TemporaryFolder t;
  for (int i = 0; i < 300; ++i) {
    const std::string name = "many/" + std::to_string(i) + ".cu";
    t.write(name, "");
    std::filesystem::resize_file(t.path(name), 1 << 20);
  }
  for (const bool named : {false, true}) {
    if (named) t.write("many/deep/er/hw02.cu", "code");
    const pid_t child = fork();
    if (child == 0) {
      const int64_t before = peak_bytes();
      const StagedSubmission s = stage(t.path("many"));
      const bool right = named ? s.contents == "code" : s.problem.find("which file") == 0;
      _exit(!right ? 1 : peak_bytes() - before > 32 << 20 ? 2 : 0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << WEXITSTATUS(status);
  }
}

StagedSubmission stage_as(const TemporaryFolder& t, const std::string& form,
                          const std::vector<ArchiveMember>& members) {
  if (form != "folder") {
    make_archive(t.path("ada." + form), members, form == "zip");
    return stage(t.path("ada." + form));
  }
  for (const ArchiveMember& m : members)
    if (m.type == AE_IFLNK) {
      std::filesystem::create_directories(
          std::filesystem::path(t.path("ada/" + m.path)).parent_path());
      std::filesystem::create_symlink(m.link, t.path("ada/" + m.path));
    } else {
      t.write("ada/" + m.path, m.contents);
    }
  return stage(t.path("ada"));
}

// In a folder and in an archive alike.
TEST(Stage, WhatProgramsLeaveBesideTheFileIsNobodysWork) {
  const ArchiveMember good{"x/my_work.cu", "good"};
  const std::vector<ArchiveMember> left = {
      {"x/.ipynb_checkpoints/my_work-checkpoint.cu", "old"},
      {".git/objects/a.cu", "old"},
      {"x/.#my_work.cu", "", AE_IFLNK, "ada@laptop.4711:1762000000"},
      {"x/.my_work.cu", "backup"},
      {"x/._my_work.cu", "attributes"},
      {"__MACOSX/x/._my_work.cu", "attributes"},
      {"x/my_work.cu:Zone.Identifier", "[ZoneTransfer]"},
      {"x/.my_work.cu:Zone.Identifier", "[ZoneTransfer]"}};
  for (const char* form : {"folder", "zip", "tar.gz"}) {
    std::vector<ArchiveMember> members = left;
    members.push_back(good);
    TemporaryFolder t;
    EXPECT_EQ(stage_as(t, form, members).contents, "good") << form << stage_as(t, form, {}).problem;
    // Nothing hidden is graded in its place, and a stream of nothing is what it was.
    for (const ArchiveMember& one : left) {
      TemporaryFolder alone;
      const StagedSubmission out = stage_as(alone, form, {one, {"readme", ""}});
      const bool stream = one.path == "x/my_work.cu:Zone.Identifier";
      EXPECT_NE(out.problem.find(stream ? "a colon" : "there is no hw02.cu"), std::string::npos)
          << form << " " << one.path << out.problem;
    }
    // Any other stream may be the file to some machine.
    for (const char* other : {"x/my_work.cu:x", "x/my_work.cu:zone.identifier",
                              "my_work.cu:Zone.Identifier", "x/my_work.cu:Zone.Identifier:$DATA"}) {
      TemporaryFolder two;
      EXPECT_NE(stage_as(two, form, {good, {other, "bad"}}).problem, "") << form << other;
    }
    // Nor is it hidden what some machine finds elsewhere.
    for (const std::string other :
         {".../my_work.cu", ".git/..\\my_work.cu", ".a:/my_work.cu", ".\\my_work.cu"}) {
      // On this disk it lies in a hidden folder.
      if (form == std::string("folder") && other.starts_with(".git/")) continue;
      TemporaryFolder two;
      EXPECT_NE(stage_as(two, form, {good, {other, "bad"}}).problem, "") << form << other;
    }
  }
}

TEST(Stage, TakesAFileHoweverDeepItLies) {
  const std::string path = "home/ada/Documents/university/winter-2025/cuda-course/hw02/src/a/b/c/";
  for (const char* form : {"folder", "zip", "tar.gz"}) {
    TemporaryFolder t;
    EXPECT_EQ(stage_as(t, form, {{path + "hw02.cu", "good"}}).contents, "good") << form;
    make_archive(t.path("class.zip"), {{"ada/" + path + "hw02.cu", "good"}, {"bob.cu", "b"}}, true);
    const auto list = list_submissions(t.path("class.zip"), "hw02.cu", t.path("work"));
    EXPECT_EQ(stage_submission(list.at(0), "hw02.cu").contents, "good");
  }
}

// A repository with its history, and with all the course's sources.
// Depth and number are limited, each; what is asked of a file must not be multiplied by both.
TEST(Stage, ManyFilesThatLieDeepTakeSeconds) {
  TemporaryFolder t;
  std::string deep = "ada/";
  for (int i = 0; i < 500; ++i) deep += "a/";
  t.write(deep + "hw02.cu", "deep");
  for (int i = 0; i < 1400; ++i) t.write(deep + std::to_string(i) + ".cu", "x");
  const std::clock_t start = std::clock();
  EXPECT_EQ(stage(t.path("ada")).contents, "deep");
  EXPECT_LT(double(std::clock() - start) / CLOCKS_PER_SEC, 20);
}

TEST(Stage, FindsOneFileAmongManyOfARepository) {
  std::vector<ArchiveMember> members;
  for (int i = 0; i < 300; ++i) members.push_back({"r/tests/" + std::to_string(i) + ".cu", "t"});
  for (int i = 0; i < 2500; ++i) members.push_back({"r/.git/objects/" + std::to_string(i), "o"});
  for (const char* form : {"folder", "zip", "tar.gz"})
    for (const bool first : {false, true}) {
      TemporaryFolder t;
      std::vector<ArchiveMember> all = members;
      all.insert(first ? all.begin() : all.end(), ArchiveMember{"r/hw02/hw02.cu", "good"});
      EXPECT_EQ(stage_as(t, form, all).contents, "good") << form;
      if (std::string(form) == "folder") break;
      all.push_back({"r/hw02.cu", "nearer"});
      EXPECT_EQ(stage_as(t, form, all).contents, "nearer") << form;
      all.push_back({"hw02.cu/", "", AE_IFDIR});
      EXPECT_EQ(stage_as(t, form, all).contents, "nearer") << form;
      all.push_back({"r/HW02.cu", "as near"});
      EXPECT_NE(stage_as(t, form, all).problem.find("which file"), std::string::npos) << form;
      EXPECT_NE(stage_as(t, form, members).problem.find("which file"), std::string::npos) << form;
    }
  // What is not hidden is bounded.
  TemporaryFolder t;
  for (int i = 0; i < 2000; ++i) members.push_back({"r/doc/" + std::to_string(i), ""});
  EXPECT_NE(stage_as(t, "zip", members).problem.find("more than 2000 files"), std::string::npos);
}

TEST(Stage, WhatTheMachineCannotReadIsNoStudentsProblem) {
  TemporaryFolder t;
  for (const char* gone : {"gone.cu", "gone.zip", "gone"})
    EXPECT_THROW(stage(t.path(gone)), Error) << gone;
}

TEST(Stage, FindsTheFileInZipAndTar) {
  TemporaryFolder t;
  for (bool zip : {true, false}) {
    std::string path = t.path(zip ? "a.zip" : "a.tar.gz");
    make_archive(path, {{"work/hw02.cu", "code"}, {"__MACOSX/work/._hw02.cu", "litter"}}, zip);
    EXPECT_EQ(stage(path).contents, "code") << path << stage(path).problem;
    EXPECT_EQ(stage(path).file, "work/hw02.cu");
  }
}

TEST(Stage, TakesNoLinkAndNoEscapingPathFromAnArchive) {
  TemporaryFolder t;
  for (const ArchiveMember& m : std::vector<ArchiveMember>{{"hw02.cu", "", AE_IFLNK, "/etc/passwd"},
                                                           {"../hw02.cu", "x"},
                                                           {"/hw02.cu", "x"},
                                                           {"a/../../hw02.cu", "x"},
                                                           {"hw02.cu", "", AE_IFIFO},
                                                           {"a\x1b[2J/hw02.cu", "x"}}) {
    make_archive(t.path("a.tar.gz"), {m}, false);
    const std::string problem = stage(t.path("a.tar.gz")).problem;
    EXPECT_NE(problem.find("a.tar.gz holds member 1 ("), std::string::npos) << problem;
    EXPECT_NE(problem.find("which cannot be taken"), std::string::npos) << problem;
  }
}

TEST(Stage, TakesNoArchiveInWhichAFileIsAFolderAsWell) {
  TemporaryFolder t;
  for (const char* inside : {"hw02.cu/readme.txt", "HW02.CU/hw02.cu"}) {
    make_archive(t.path("ada.zip"), {{"hw02.cu", "// one"}, {inside, "// two"}}, true);
    const StagedSubmission s =
        stage_submission(single_submission(t.path("ada.zip")), "hw02.cu", {});
    EXPECT_NE(s.problem.find("lies in what is a file as well"), std::string::npos) << s.problem;
  }
  make_archive(t.path("bob.zip"), {{"a/hw02.cu", "// one"}, {"a/notes.txt", "x"}}, true);
  EXPECT_EQ(stage_submission(single_submission(t.path("bob.zip")), "hw02.cu", {}).problem, "");
}
TEST(Stage, SaysThatATextIsWide) {
  TemporaryFolder t;
  const std::string wide("\xff\xfe/\0/\0", 6);
  t.write("ada.cu", wide);
  EXPECT_EQ(stage_submission(single_submission(t.path("ada.cu")), "hw02.cu", {}).problem,
            "the file is UTF-16 or UTF-32 text; save it as UTF-8");
  t.write("bob.cu", "\xef\xbb\xbf// with a mark of UTF-8");
  EXPECT_EQ(stage_submission(single_submission(t.path("bob.cu")), "hw02.cu", {}).problem, "");
}

TEST(Stage, StopsAtABombWhereverItLies) {
  TemporaryFolder t;
  StageLimits limits;
  limits.expanded_bytes = 8 << 20;
  std::string zeros(32 << 20, 0);
  for (bool zip : {true, false}) {
    std::string path = t.path(zip ? "b.zip" : "b.tar.gz");
    make_archive(path, {{"hw02.cu", zeros}}, zip);
    EXPECT_NE(stage(path, limits).problem, "") << path;
  }
  // In a file that is not wanted, where the unpacker has to pass it.
  make_archive(t.path("c.tar.gz"), {{"data.bin", zeros}, {"hw02.cu", "code"}}, false);
  EXPECT_NE(stage(t.path("c.tar.gz"), limits).problem.find("expands"), std::string::npos);
}

TEST(Stage, ADamagedArchiveIsTheStudentsProblem) {
  TemporaryFolder t;
  t.write("a.zip", "PK\x03\x04 and then nothing of the kind");
  t.write("b.tar.gz", "\x1f\x8b\x08 broken");
  EXPECT_NE(stage(t.path("a.zip")).problem, "");
  EXPECT_NE(stage(t.path("b.tar.gz")).problem, "");
}

TEST(ListSubmissions, KnowsFilesFoldersAndArchivesAndKeepsNamesApart) {
  TemporaryFolder t;
  t.write("class/alice.cu", "1");
  t.write("class/bob/hw02.cu", "2");
  t.write("class/alice/hw02.cu", "3");
  t.write("class/notes.txt", "4");
  make_archive(t.path("class/carol.zip"), {{"hw02.cu", "5"}}, true);
  auto list = list_submissions(t.path("class"), "hw02.cu", t.path("work"));
  std::vector<std::string> names;
  for (const auto& entry : list) names.push_back(entry.name);
  EXPECT_EQ(names, (std::vector<std::string>{"alice", "alice.cu", "bob", "carol", "notes.txt"}));
}

TEST(ListSubmissions, UnpacksTheArchiveOfAClass) {
  TemporaryFolder t;
  make_archive(t.path("class.zip"),
               {{"submissions/alice/hw02.cu", "a"},
                {"submissions/bob.cu", "b"},
                {"submissions/../../evil.cu", "c"}},
               true);
  auto list = list_submissions(t.path("class.zip"), "hw02.cu", t.path("work"));
  ASSERT_EQ(list.size(), 3u);
  EXPECT_EQ(list[0].name, "alice");
  EXPECT_EQ(stage_submission(list[0], "hw02.cu").contents, "a");
  EXPECT_EQ(stage_submission(list[1], "hw02.cu").contents, "b");
  EXPECT_EQ(list[2].name, "member/#3");
  EXPECT_NE(list[2].problem, "");
  EXPECT_FALSE(std::filesystem::exists(t.path("evil.cu")));
}

// As copied from Windows to WSL, with an editor open.
TEST(ListSubmissions, WhatProgramsLeaveBesideAFileIsNoSubmission) {
  TemporaryFolder t;
  const std::vector<ArchiveMember> members = {{"class/ada/hw02.cu", "a"},
                                              {"class/ada/hw02.cu:Zone.Identifier", "z"},
                                              {"class/ada/.#hw02.cu", "", AE_IFLNK, "gone"},
                                              {"class/ada/.old/hw02.cu", "", AE_IFLNK, "gone"},
                                              {"class/grace.cu", "g"},
                                              {"class/grace.cu:Zone.Identifier", "z"},
                                              {"class/.#grace.cu", "", AE_IFLNK, "gone"},
                                              {"class/._grace.cu", "m"},
                                              {"class/zoe.cu:Zone.Identifier", "z"},
                                              {"class/grace.cu:x", "x"}};
  stage_as(t, "folder", members);
  make_archive(t.path("class.zip"), members, true);
  make_archive(t.path("class.tar.gz"), members, false);
  for (const char* path : {"ada/class", "class.zip", "class.tar.gz"}) {
    std::vector<std::string> found;
    for (const auto& entry : list_submissions(t.path(path), "hw02.cu", t.path("work"))) {
      found.push_back(entry.identity);
      if (entry.identity == "ada") {
        EXPECT_EQ(stage_submission(entry, "hw02.cu").contents, "a") << path << entry.problem;
      }
    }
    std::sort(found.begin(), found.end());
    EXPECT_EQ(found,
              (std::vector<std::string>{"ada", "grace.cu", "grace.cu:x", "zoe.cu:Zone.Identifier"}))
        << path;
  }
}

TEST(ListSubmissions, SaysWhatIsNoClass) {
  TemporaryFolder t;
  t.write("one.cu", "x");
  EXPECT_THROW(list_submissions(t.path("one.cu"), "hw02.cu", t.path("w")), Error);
  EXPECT_THROW(list_submissions(t.path("nowhere"), "hw02.cu", t.path("w")), Error);
}

}  // namespace
}  // namespace lockstep::grader
