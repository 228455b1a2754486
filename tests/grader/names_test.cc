// SPDX-License-Identifier: Apache-2.0
// A submission is told by the bytes of its name: whatever they are, each has a result of its own,
// in the store, in JSON and on the terminal, and no two are shown alike.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <set>

#include "common/error.h"
#include "common/module_files.h"
#include "common/quoted.h"
#include "common/text.h"
#include "grader/sha256.h"
#include "tests/grader/archives.h"
#include "tests/grader/corpus_run.h"
#include "tests/grader/temporary.h"

namespace lockstep::grader {
namespace {

// Names of files that programs take for each other, or that are no text.
const std::vector<std::string>& hard_names() {
  static const std::vector<std::string> names = {
      "bob\x01.cu",
      "bob\x02.cu",
      "bob?.cu",
      "bob\\x01.cu",
      "dup.cu",
      "dup.cu.cu",
      "\xC3\xA9.cu",
      "e\xCC\x81.cu",
      "\xFF.cu",
      "\xFE.cu",
      "Carol.cu",
      "carol.cu",
      "new\nline\n  [pass] 100 of 100.cu",
      "new\xE2\x80\xA8line.cu",
      "it's \"quoted\".cu",
      "a  100 \xE2\x88\x95 100  pass.cu",
      "\xE2\x80\xAE"
      "uc.pass.cu",
      std::string(250, 'x') + "1.cu",
      std::string(250, 'x') + "2.cu",
      ".hidden.cu",
      "..cu",
  };
  return names;
}

void expect_names_apart(const std::vector<SubmissionEntry>& list) {
  std::set<std::string> shown, identities;
  for (const SubmissionEntry& entry : list) {
    EXPECT_TRUE(shown.insert(entry.name).second) << entry.name;
    EXPECT_TRUE(identities.insert(entry.identity).second) << entry.name;
    EXPECT_EQ(printable(entry.name), entry.name);
    EXPECT_LE(display_width(entry.name), 60) << entry.name;
  }
}

TEST(Names, OfAFolderAreKeptApart) {
  TemporaryFolder t;
  for (const std::string& name : hard_names()) t.write("class/" + name, name);
  t.write("class/dup/hw02.cu", "a folder");
  make_archive(t.path("class/dup.zip"), {{"hw02.cu", "an archive"}}, true);
  t.write("class/._dup.cu", "litter");
  t.write("class/.git/x.cu", "litter");
  std::filesystem::create_symlink("turns", t.path("class/turns"));
  auto list = list_submissions(t.path("class"), "hw02.cu", t.path("work"));
  EXPECT_EQ(list.size(), hard_names().size() + 3);
  expect_names_apart(list);
  for (const SubmissionEntry& entry : list) {
    StagedSubmission staged = stage_submission(entry, "hw02.cu");
    EXPECT_EQ(staged.identity, entry.identity);
    const bool plain = entry.identity.ends_with(".cu");
    EXPECT_TRUE(!plain || staged.contents == entry.identity) << entry.name << staged.problem;
  }
}

using Staged = std::map<std::string, StagedSubmission>;

Staged stage_class(const TemporaryFolder& t, const std::string& path,
                   const StageLimits& limits = {}) {
  const auto list = list_submissions(path, "hw02.cu", t.path("work"), limits);
  expect_names_apart(list);
  Staged staged;
  for (const SubmissionEntry& entry : list)
    staged[entry.identity] = stage_submission(entry, "hw02.cu", limits);
  EXPECT_EQ(staged.size(), list.size());
  return staged;
}

// Of a tar, and of zips whose names are said to be UTF-8 or not, which they need not be.
TEST(Names, OfAnArchiveAreKeptApartOrTold) {
  for (const char* file : {"c.tar.gz", "plain.zip", "marked.zip"}) {
    TemporaryFolder t;
    const std::string path = t.path(file);
    const bool zip = path.ends_with(".zip");
    std::vector<ArchiveMember> members;
    for (const std::string& name : hard_names()) members.push_back({"class/" + name, name});
    const size_t first = members.size() + 1;
    for (const char* twice : {"class/twice.cu", "./class/twice.cu", "class//twice.cu"})
      members.push_back({twice, twice});
    members.push_back({"class/way.cu", "a file"});
    members.push_back({"class/way.cu/hw02.cu", "and a folder"});
    members.push_back({"class/link.cu", "", AE_IFLNK, "/etc/passwd"});
    members.push_back({"class/" + std::string(300, 'y') + ".cu", "too long"});
    members.push_back({"class/../../out.cu", "outside"});
    make_archive(path, members, zip);
    if (path.ends_with("marked.zip")) mark_as_utf8(path);
    Staged staged = stage_class(t, path);
    EXPECT_EQ(staged.size(), hard_names().size() + 8) << path;
    for (const std::string& name : hard_names())
      EXPECT_EQ(staged[name].contents, name) << shown_name(name) << staged[name].problem;
    const auto key = [&](const std::string& name, size_t after) {
      return name + "/#" + std::to_string(first + after);
    };
    EXPECT_EQ(staged[key("twice.cu", 0)].contents, "class/twice.cu");
    EXPECT_EQ(staged[key("twice.cu", 1)].contents, "./class/twice.cu");
    EXPECT_EQ(staged[key("twice.cu", 2)].contents, "class//twice.cu");
    EXPECT_EQ(staged[key("way.cu", 3)].contents, "a file");
    EXPECT_EQ(staged[key("way.cu", 4)].contents, "and a folder");
    EXPECT_NE(staged["link.cu"].problem, "");
    EXPECT_NE(staged[key("member", 7)].problem.find("leads out"), std::string::npos);
  }
}

void replace_in_file(const std::string& path, const std::string& from, const std::string& to) {
  std::string bytes = read_file(path);
  for (size_t at = 0; (at = bytes.find(from, at)) != std::string::npos; at += to.size())
    bytes.replace(at, from.size(), to);
  std::ofstream(path, std::ios::binary) << bytes;
}

// A damaged, an overlong and a nameless member, and one with a byte 0: each its own problem.
TEST(Names, AMemberThatCannotBeTakenStopsNoOther) {
  TemporaryFolder t;
  const std::string path = t.path("c.zip");
  std::string mixed;
  for (unsigned i = 0; i < 4000; ++i) mixed += static_cast<char>(i * i * 40503u >> 7);
  make_archive(path,
               {{"damaged.cu", mixed},
                {"ada.cu", "ada"},
                {"ada.cuQx", "no name"},
                {"bomb.cu", std::string(3 << 20, 'b')},
                {"zoe.cu", "zoe"}},
               true);
  replace_in_file(path, "ada.cuQx", std::string("ada.cu\0x", 8));
  std::string bytes = read_file(path);
  bytes[bytes.find("damaged.cu") + 500] ^= 0x55;
  std::ofstream(path, std::ios::binary) << bytes;
  Staged staged = stage_class(t, path);
  EXPECT_EQ(staged.size(), 5u);
  EXPECT_EQ(staged["ada.cu"].contents, "ada");
  EXPECT_EQ(staged["zoe.cu"].contents, "zoe");
  EXPECT_NE(staged["damaged.cu"].problem.find("member 1 (damaged.cu): it is damaged"),
            std::string::npos)
      << staged["damaged.cu"].problem;
  EXPECT_NE(staged["member/#3"].problem.find("a byte that is 0"), std::string::npos);
  EXPECT_NE(staged["bomb.cu"].problem.find("larger than 1024 KiB"), std::string::npos);
}

// What one takes of the limits is refused to it; in a tar, what follows cannot be reached then.
TEST(Names, AMemberBeyondTheLimitsIsTold) {
  for (bool zip : {true, false}) {
    TemporaryFolder t;
    const std::string path = t.path(zip ? "c.zip" : "c.tar.gz");
    make_archive(
        path, {{"ada.cu", "ada"}, {"big.cu", std::string(3 << 20, 'b')}, {"zoe.cu", "zoe"}}, zip);
    StageLimits limits;
    limits.class_bytes = 1 << 20;
    limits.file_bytes = 8 << 20;
    try {
      Staged staged = stage_class(t, path, limits);
      EXPECT_TRUE(zip);
      EXPECT_EQ(staged["zoe.cu"].contents, "zoe") << staged["zoe.cu"].problem;
      EXPECT_NE(staged["big.cu"].problem.find("expands"), std::string::npos);
    } catch (const Error& e) {
      EXPECT_FALSE(zip) << e.what();
      EXPECT_NE(std::string(e.what()).find("member 2 (big.cu)"), std::string::npos) << e.what();
    }
  }
}

// What a zip is, its first bytes say; those of a tar are a student's.
TEST(Names, AFirstMemberMakesNoZipOfATar) {
  TemporaryFolder t;
  make_archive(t.path("c.tar.gz"), {{"PK\3\4.cu", "a"}, {"zoe.cu", "zoe"}}, false);
  ASSERT_EQ(std::system(("gzip -d " + t.path("c.tar.gz")).c_str()), 0);
  EXPECT_EQ(stage_class(t, t.path("c.tar"))["zoe.cu"].contents, "zoe");
}

// The short form of a long name is nobody's whole name.
TEST(Names, AShortenedNameIsNoOthersWholeName) {
  TemporaryFolder t;
  std::string name = "Anna_Maria_Lopez_Zoe\xCC\x81_de_la_Fuente_y_Lovelace_1815.cu";
  for (int i = 0; i < 3; ++i) {
    t.write("class/" + name, "");
    name = single_submission(t.path("class/" + name)).name + ".cu";
  }
  t.write("class/Anna_Maria_Lopez_Zoe..." + sha256("Anna").substr(0, 24) + ".cu", "");
  const auto list = list_submissions(t.path("class"), "hw02.cu", t.path("work"));
  EXPECT_EQ(list.size(), 4u);
  expect_names_apart(list);
}

TEST(Names, AMemberThatIsThereTwiceIsNotChosenSilently) {
  TemporaryFolder t;
  for (bool zip : {false, true}) {
    make_archive(t.path("a.tar.gz"), {{"hw02.cu", "1"}, {"./hw02.cu", "2"}}, zip);
    StagedSubmission staged = stage_submission(single_submission(t.path("a.tar.gz")), "hw02.cu");
    EXPECT_NE(staged.problem.find("which file is meant"), std::string::npos) << staged.problem;
  }
}

// A hundred thousand take 1.2 s; to make their files takes a test too long.
TEST(Names, AreManyAndBounded) {
  EXPECT_EQ(StageLimits().class_entries, 100000u);
  TemporaryFolder t;
  std::filesystem::create_directories(t.path("class"));
  StageLimits limits;
  limits.class_entries = 4000;
  for (size_t i = 0; i < limits.class_entries; ++i) {
    // Half of them have another that has the same stem.
    const std::string name = std::to_string(i / 2) + (i % 2 == 0 ? ".cu" : ".cu.cu");
    std::ofstream(t.path("class/" + name));
  }
  auto list = list_submissions(t.path("class"), "hw02.cu", t.path("work"), limits);
  EXPECT_EQ(list.size(), limits.class_entries);
  expect_names_apart(list);
  std::ofstream(t.path("class/one_more.cu"));
  EXPECT_THROW(list_submissions(t.path("class"), "hw02.cu", t.path("work"), limits), Error);
}

// The whole way: each has its line, its JSON and its row, and is known again.
TEST(Names, EachHasItsResult) {
  if (!can_compile()) GTEST_SKIP() << "no CUDA toolkit";
  TemporaryFolder t;
  for (const std::string& name : hard_names())
    t.write("class/" + name, "#include \"/etc/passwd\"\n// " + shown_name(name));
  t.write("class/starter.cu", read_file("hw02/hw02.cu"));
  SessionOptions options;
  options.homework = "hw02";
  options.backend = "emulator";
  options.rubric = "tests/grader/data/two_kernels.toml";
  options.weak_sandbox = std::getenv("LOCKSTEP_WEAK_SANDBOX") != nullptr;
  GradingSession session(options, t.path("work"));
  session.prepare_reference();
  Store store(t.path("results"));
  std::set<std::string> lines, identities, shown;
  ClassEvents events;
  events.graded = [&](const Graded& g, const Graded* before, const ClassProgress&) {
    EXPECT_EQ(before, nullptr) << g.submission;
    const std::string line = report_line(g, 24);
    EXPECT_EQ(line.find('\n'), std::string::npos);
    EXPECT_EQ(printable(line), line);
    lines.insert(line);
    EXPECT_EQ(forged_lines(g, report_text(g, {}), "[pass] 100"), std::vector<std::string>())
        << report_text(g, {});
    const auto json = nlohmann::json::parse(json_line(report_json(g)));
    shown.insert(json["submission"].get<std::string>());
    identities.insert(json["identity"].get<std::string>());
  };
  const size_t all = hard_names().size() + 1;
  ClassOptions settings{t.path("class"), t.path("results"), false, 0};
  EXPECT_EQ(run_class(settings, session, store, events).done, all);
  EXPECT_EQ(lines.size(), all);
  EXPECT_EQ(shown.size(), all);
  EXPECT_EQ(identities.size(), all);
  EXPECT_EQ(store.all_latest("hw02", "emulator").size(), all);
  for (const std::string& name : hard_names())
    EXPECT_TRUE(store.latest("hw02", name, "emulator").has_value()) << shown_name(name);
  const ClassProgress again = run_class(settings, session, store, {});
  EXPECT_EQ(again.done, 0u);
  EXPECT_EQ(again.unchanged, all);
}

}  // namespace
}  // namespace lockstep::grader
