// SPDX-License-Identifier: Apache-2.0
// A folder with one archive and no source is that archive, however the folder comes; and no more.
#include <fstream>
#include <random>

#include "common/backend/module_files.h"
#include "grader/names.h"
#include "tests/grader/archives.h"
#include "tests/grader/intake_class.h"
#include "tests/grader/temporary.h"

namespace lockstep::grader {
namespace {

std::string archive_of(const std::vector<ArchiveMember>& members, bool zip = true) {
  TemporaryFolder t;
  const std::string path = t.path(zip ? "a.zip" : "a.tar.gz");
  make_archive(path, members, zip);
  return read_file(path);
}
std::string good_zip() { return archive_of({{"work/hw02.cu", "good"}, {"notes.txt", "n"}}); }

// Ada's folder on disk, in a zip and in a tar of a class.
std::vector<StagedSubmission> staged_folder(const std::vector<ArchiveMember>& members,
                                            const StageLimits& limits = {}) {
  TemporaryFolder t;
  std::vector<ArchiveMember> of_class = {{"class/zoe.cu", "zoe"}};
  for (ArchiveMember m : members) {
    const std::string place = t.path("ada/" + m.path);
    std::filesystem::create_directories(std::filesystem::path(place).parent_path());
    if (m.type == AE_IFLNK)
      std::filesystem::create_symlink(m.link, place);
    else
      std::ofstream(place, std::ios::binary) << m.contents;
    m.path = "class/ada/" + m.path;
    of_class.push_back(m);
  }
  std::vector<StagedSubmission> all = {
      stage_submission(single_submission(t.path("ada")), "hw02.cu", limits)};
  for (const bool zip : {true, false}) {
    const std::string path = t.path(zip ? "class.zip" : "class.tar.gz");
    make_archive(path, of_class, zip);
    const auto list = list_submissions(path, "hw02.cu", t.path("work"), limits);
    EXPECT_EQ(list.size(), 2u);
    all.push_back(stage_submission(list.at(0), "hw02.cu", limits));
  }
  return all;
}

void expect_problem(const std::vector<ArchiveMember>& members, const std::string& words,
                    const StageLimits& limits = {}) {
  for (const StagedSubmission& s : staged_folder(members, limits)) {
    EXPECT_EQ(s.contents, "") << words;
    EXPECT_NE(s.problem.find(words), std::string::npos) << words << ": " << s.problem;
  }
}

TEST(ArchiveInAFolder, IsTheSubmission) {
  const std::string zip = good_zip(), tar = archive_of({{"hw02.cu", "good"}}, false);
  for (const std::vector<ArchiveMember>& members : std::vector<std::vector<ArchiveMember>>{
           {{"hw02.zip", zip}},
           {{"My Work.ZIP", zip}},
           {{"hw02.tar.gz", tar}},
           {{"hand-in/hw02.tgz", tar}},
           {{"Ada L./hw02.zip", zip}},
           {{"hw02.cu.zip", zip}},
           {{"hw02.zip", zip}, {"report.pdf", "r"}, {"README", "r"}},
           {{"hw02.zip", zip},
            {".DS_Store", "d"},
            {"._hw02.zip", "m"},
            {"hw02.zip:Zone.Identifier", "z"},
            {".old/hw02.zip", zip},
            {"__MACOSX/hw02.zip", "m"},
            {"Thumbs.db", "t"}}})
    for (const StagedSubmission& s : staged_folder(members)) {
      EXPECT_EQ(s.contents, "good") << members[0].path << ": " << s.problem;
      EXPECT_EQ(s.file, members[0].path + (members[0].contents == zip ? "/work" : "") + "/hw02.cu");
    }
}

TEST(ArchiveInAFolder, IsNothingBesideASource) {
  const std::string zip = good_zip();
  for (const char* name : {"hw02.cu", "src/hw02.cu", "my_work.cu"})
    for (const StagedSubmission& s : staged_folder({{"hw02.zip", zip}, {name, "source"}}))
      EXPECT_EQ(s.contents + " " + s.file, std::string("source ") + name) << s.problem;
  expect_problem({{"hw02.zip", zip}, {"a.cu", "a"}, {"b.cu", "b"}}, "which file is meant");
  expect_problem({{"hw02.zip", zip}, {"hw02.cu", "", AE_IFLNK, "x"}}, "");
  expect_problem({{"hw02.zip", zip}, {"hw02.\xD1\x81u", "l"}}, "looks like hw02.cu");
  expect_problem({{"hw02.zip", zip}, {"hw02.cu;1", "l"}}, "a sign in its name");
  expect_problem({{"hw02.zip", zip}, {"hw02.cu.", "l"}}, "");
}

TEST(ArchiveInAFolder, OfSeveralNoneIsChosen) {
  const std::string zip = good_zip();
  for (const char* other : {"a.zip", "old/hw02.zip", "HW02.ZIP", "hw02.tar", "hw02.zip.",
                            "hw02.zip;1", "hw02.zip:x", "hw02.zi\xff", "\xEF\xBD\x88w02.zip"})
    expect_problem({{"hw02.zip", zip}, {other, zip}}, "there is no hw02.cu in it, but 2 archives");
  expect_problem({{"a.zip", zip}, {"b.zip", zip}, {"c.tar", "c"}}, "3 archives: ");
  for (const StagedSubmission& s : staged_folder({{"a.zip", zip}, {"b.zip", zip}}))
    EXPECT_NE(s.problem.find("Hand in one hw02.cu, or one archive with it"), std::string::npos);
  // In an archive there can be two of one name.
  TemporaryFolder t;
  make_archive(t.path("c.zip"), {{"ada/w.zip", zip}, {"ada/w.zip", zip}, {"zoe.cu", "z"}}, true);
  const auto list = list_submissions(t.path("c.zip"), "hw02.cu", t.path("work"));
  ASSERT_EQ(list.size(), 2u);
  EXPECT_NE(list[0].problem.find("2 archives: two called w.zip"), std::string::npos)
      << list[0].problem;
}

// A name that is an archive's elsewhere alone is none here.
TEST(ArchiveInAFolder, IsOneByItsNameHere) {
  for (const char* name : {"hw02.zip.", "hw02.zip:x"})
    expect_problem({{name, good_zip()}}, "its path holds a");
  expect_problem({{"hw02.zi\xff", good_zip()}}, "there is no hw02.cu in it");
  expect_problem({{"hw02.7z", "7z"}}, "there is no hw02.cu in it");
  // A source that is an archive in truth is what its name tells.
  for (const StagedSubmission& s : staged_folder({{"hw02.cu", good_zip()}}))
    EXPECT_EQ(s.contents, good_zip());
}

// As of an archive that is handed in itself.
TEST(ArchiveInAFolder, IsHeldToAllRulesOfArchives) {
  const std::string zip = good_zip();
  expect_problem({{"w.zip", "PK\3\4 and nothing"}}, "w.zip ");
  expect_problem({{"w.zip", archive_of({{"hw02.cu", "1"}}, false)}}, "w.zip ");
  expect_problem({{"w.zip", zip + "x"}}, "w.zip can be read in more than one way");
  expect_problem({{"w.zip", archive_of({{"hw02.cu", "", AE_IFLNK, "/etc/passwd"}})}},
                 "which cannot be taken");
  expect_problem({{"w.tar.gz", archive_of({{"../hw02.cu", "1"}}, false)}}, "which cannot be taken");
  expect_problem({{"w.zip", archive_of({{"d", "", AE_IFLNK, "."}, {"d/hw02.cu", "1"}})}},
                 "in more than one way");
  expect_problem({{"w.zip", archive_of({{"hw02.cu", "1"}, {"HW02.CU", "2"}})}},
                 "which file is meant");
  // One level deep, whatever the inner one is called.
  for (const char* name : {"inner.zip", "hw02.cu.zip", "a/b/inner.zip"})
    expect_problem({{"w.zip", archive_of({{name, zip}})}},
                   "there is no hw02.cu in it, and an archive in an archive is not looked into");
  TemporaryFolder t;
  make_archive(t.path("ada.zip"), {{"hw02.zip", zip}}, true);
  EXPECT_NE(stage_submission(single_submission(t.path("ada.zip")), "hw02.cu")
                .problem.find("an archive in an archive is not looked into"),
            std::string::npos);
}

TEST(ArchiveInAFolder, PassesNoBound) {
  StageLimits limits;
  limits.file_bytes = 1000;
  limits.entries = 20;
  limits.archive_bytes = 1 << 20;
  limits.expanded_bytes = 2 << 20;
  expect_problem({{"w.zip", archive_of({{"hw02.cu", std::string(2000, 'x')}})}}, "larger than",
                 limits);
  std::vector<ArchiveMember> many = {{"hw02.cu", "1"}};
  for (int i = 0; i < 30; ++i) many.push_back({std::to_string(i), ""});
  expect_problem({{"w.zip", archive_of(many)}}, "holds more than 20 files", limits);
  expect_problem({{"w.zip", std::string(2 << 20, 'z')}}, "larger than", limits);
  expect_problem(
      {{"w.tar.gz", archive_of({{"big", std::string(8 << 20, 0)}, {"hw02.cu", "1"}}, false)}},
      "expands to more than", limits);
  // Of a class's archive it takes its share as any other.
  limits.class_bytes = 64 << 10;
  std::mt19937 draw(1);
  std::string noise;
  for (int i = 0; i < 300000; ++i) noise += static_cast<char>(draw());
  std::vector<StagedSubmission> all =
      staged_folder({{"w.zip", archive_of({{"hw02.cu", "1"}, {"noise", noise}})}}, limits);
  EXPECT_EQ(all[0].contents, "1") << all[0].problem;
  for (const size_t i : {1, 2})
    EXPECT_NE(all[i].problem.find("more than its share"), std::string::npos) << all[i].problem;
}

TEST(ArchiveInAFolder, IsNoLinkNorPipe) {
  TemporaryFolder t;
  make_archive(t.path("secret.zip"), {{"hw02.cu", "secret"}}, true);
  t.write("eve/readme", "x");
  std::filesystem::create_symlink(t.path("secret.zip"), t.path("eve/hw02.zip"));
  EXPECT_EQ(stage_submission(single_submission(t.path("eve")), "hw02.cu").problem,
            "hw02.zip is a symbolic link: hand in the file itself");
  std::filesystem::create_directories(t.path("bob"));
  ASSERT_EQ(mkfifo(t.path("bob/hw02.zip").c_str(), 0600), 0);
  EXPECT_EQ(stage_submission(single_submission(t.path("bob")), "hw02.cu").problem,
            "hw02.zip is not a regular file");
  t.write("far/hw02.zip", "");
  t.write("mallory/readme", "x");
  std::filesystem::create_directory_symlink(t.path("far"), t.path("mallory/inner"));
  EXPECT_EQ(stage_submission(single_submission(t.path("mallory")), "hw02.cu").problem,
            "there is no hw02.cu in it");
}

// An ordinary upload on Moodle, and what Gradescope and clones may hold.
TEST_F(Taken, AStudentsFolderMayHoldAnArchive) {
  const std::string zip = good_zip(), yml = "submission_metadata.yml",
                    told = "submission_7:\n  :submitters:\n  - :email: ada@x.edu\n";
  const std::map<std::string, std::vector<ArchiveMember>> classes = {
      {"moodle",
       {{"Ada L_1_assignsubmission_file/My work.zip", zip},
        {"Bob_2_assignsubmission_file/hw02.cu", "good"}}},
      {"gradescope", {{"submission_7/hw02.zip", zip}, {yml, told}}},
      {"github", {{"hw02-ada/hw02.zip", zip}, {"hw02-ada/.git/HEAD", ""}}}};
  for (const auto& [platform, members] : classes) {
    for (const ArchiveMember& m : members) t.write(platform + "/" + m.path, "");
    std::vector<ArchiveMember> of_class;
    for (const ArchiveMember& m : members) {
      std::ofstream(t.path(platform + "/" + m.path), std::ios::binary) << m.contents;
      of_class.push_back({platform + "/" + m.path, m.contents});
    }
    make_archive(t.path(platform + ".zip"), of_class, true);
    for (const std::string& from : {platform, platform + ".zip"})
      for (const SubmissionEntry& entry : take(platform, from).entries)
        EXPECT_EQ(stage_submission(entry, "hw02.cu").contents, "good")
            << from << " " << entry.identity << stage_submission(entry, "hw02.cu").problem;
  }
}

}  // namespace
}  // namespace lockstep::grader
