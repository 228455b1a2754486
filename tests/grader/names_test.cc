// SPDX-License-Identifier: Apache-2.0
// A submission is told by the bytes of its name: whatever they are, each has a result of its own,
// in the store, in JSON and on the terminal, and no two are shown alike.
#include "grader/names.h"

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <random>
#include <set>

#include "common/backend/module_files.h"
#include "common/base/error.h"
#include "common/base/quoted.h"
#include "common/base/text.h"
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

// What one takes is no other's: each has a fair share of the whole, whoever comes first.
TEST(Names, NobodyTakesAnothersShareOfAnArchive) {
  for (bool zip : {true, false}) {
    TemporaryFolder t;
    const std::string path = t.path(zip ? "c.zip" : "c.tar.gz");
    std::vector<ArchiveMember> members = {{"big.cu", std::string(3 << 20, 'b')}};
    for (int i = 0; i < 40; ++i)
      members.push_back({"half/" + std::to_string(i) + ".cu", std::string(100 << 10, 'm')});
    members.push_back({"much/hw02.cu", std::string(2 << 20, 'm')});
    members.push_back({"ada.cu", "ada"});
    // What is not graded is nothing that anybody takes.
    members.push_back({"half/hw02.cu", std::string(300 << 10, 'h')});
    members.push_back({"zoe.cu", "zoe"});
    make_archive(path, members, zip);
    StageLimits limits;
    limits.class_bytes = 1 << 20;
    limits.file_bytes = 8 << 20;
    Staged staged = stage_class(t, path, limits);
    EXPECT_EQ(staged.size(), 5u);
    EXPECT_EQ(staged["ada.cu"].contents, "ada") << staged["ada.cu"].problem;
    EXPECT_EQ(staged["zoe.cu"].contents, "zoe") << staged["zoe.cu"].problem;
    EXPECT_EQ(staged["half"].contents.size(), 300u << 10) << staged["half"].problem;
    for (const char* greedy : {"big.cu", "much"})
      EXPECT_NE(staged[greedy].problem.find("more than its share of 361 KiB"), std::string::npos)
          << staged[greedy].problem;
  }
}

TEST(Names, AFolderOfManyFilesStopsNoClass) {
  TemporaryFolder t;
  std::vector<ArchiveMember> members = {{"ada.cu", "ada"}};
  for (int i = 0; i < 30; ++i) members.push_back({"many/" + std::to_string(i) + ".cu", "m"});
  make_archive(t.path("c.zip"), members, true);
  StageLimits limits;
  limits.class_entries = limits.entries = 20;
  Staged staged = stage_class(t, t.path("c.zip"), limits);
  EXPECT_EQ(staged["ada.cu"].contents, "ada");
  EXPECT_EQ(staged["many"].problem, "holds more than 20 files");
}

// Who handed in something has a line, even if it is nothing that can be taken.
TEST(Names, NobodyIsLeftOut) {
  TemporaryFolder t;
  const std::string longest(255, 'n'), longer(256, 'n');
  make_archive(t.path("c.zip"),
               {{"ada/readme.txt", ""},
                {"bob/hw02.zip", "archive"},
                {"Carol.CU", "carol"},
                {"DAN.ZIP", "no archive"},
                {longest + "/x", ""},
                {longer + "/hw02.cu", "code"},
                {"readme.txt", "no source"}},
               true);
  Staged staged = stage_class(t, t.path("c.zip"));
  EXPECT_EQ(staged.size(), 7u);
  EXPECT_NE(staged["readme.txt"].problem.find("hand in hw02.cu"), std::string::npos);
  EXPECT_EQ(staged["Carol.CU"].contents, "carol");
  for (const std::string& name : {std::string("ada"), longest})
    EXPECT_EQ(staged[name].problem, "there is no hw02.cu in it");
  EXPECT_NE(staged["bob"].problem.find("hw02.zip can be read in more"), std::string::npos)
      << staged["bob"].problem;
  EXPECT_NE(staged["DAN.ZIP"].problem, "");
  EXPECT_NE(staged[longer].problem.find("longer than 255 bytes"), std::string::npos);
}

// What a person may be shown, by whatever unpacks it, is what is graded; or nothing is.
TEST(Names, AFileBesideAnotherOfItsNameIsNotGraded) {
  const std::vector<ArchiveMember> others = {{"hw02.cu", "2"},
                                             {"./hw02.cu", "2"},
                                             {"HW02.CU", "2"},
                                             {"hw02.cU", "2"},
                                             {"\xEF\xBD\x88w02.cu", "2"},
                                             {"hw02\xE2\x80\x8B.cu", "2"},
                                             {"hw02.cu", "", AE_IFLNK, "x"},
                                             {"/hw02.cu", "2"},
                                             {"../hw02.cu", "2"},
                                             {"a/../hw02.cu", "2"},
                                             {"a\\..\\hw02.cu", "2"},
                                             {"a/b\\hw02.cu", "2"}};
  for (bool zip : {true, false})
    for (const ArchiveMember& other : others)
      for (bool first : {true, false}) {
        TemporaryFolder t;
        const std::string path = t.path(zip ? "a.zip" : "a.tar.gz");
        const ArchiveMember good{"hw02.cu", "1"};
        make_archive(path, first ? std::vector{other, good} : std::vector{good, other}, zip);
        StagedSubmission staged = stage_submission(single_submission(path), "hw02.cu");
        EXPECT_EQ(staged.contents, "") << shown_name(other.path);
        EXPECT_NE(staged.problem.find("hw02"), std::string::npos) << staged.problem;
      }
  TemporaryFolder t;
  t.write("ada/hw02.cu", "1");
  t.write("ada/HW02.cu", "2");
  EXPECT_NE(stage_submission(single_submission(t.path("ada")), "hw02.cu").problem, "");
}

std::map<std::string, std::string> shown_names(const std::vector<std::string>& identities) {
  std::vector<SubmissionEntry> list;
  for (const std::string& identity : identities) list.push_back({"", "", identity});
  set_shown_names(&list);
  expect_names_apart(list);
  std::map<std::string, std::string> shown;
  for (const SubmissionEntry& entry : list) shown[entry.identity] = entry.name;
  return shown;
}

TEST(Names, OfOneScriptAreShownAsTheyAre) {
  const std::vector<std::string> honest = {"Jos\u00e9",
                                           "\u5c0f\u6797",
                                           "\u041c\u0430\u0440\u0438\u044f",
                                           "Y\u0131ld\u0131z",
                                           "\u3055\u304f\u3089\u5b50",
                                           "\uae40\ubbfc\uc900",
                                           "\u039d\u03af\u03ba\u03bf\u03c2",
                                           "Nguy\u1ec5n",
                                           "\u0905\u092e\u093f\u0924\u093e",
                                           "M\u00fcller-L\u00fcdenscheidt",
                                           "\u0421\u0430\u0440\u0430_hw02",
                                           "O'Neill",
                                           "bill1",
                                           "mama"};
  std::vector<std::string> identities;
  for (const std::string& name : honest) identities.push_back(name + ".cu");
  auto shown = shown_names(identities);
  for (const std::string& name : honest) EXPECT_EQ(shown[name + ".cu"], name);
  EXPECT_EQ(single_submission("x/\u5c0f\u6797.cu").name, "\u5c0f\u6797.cu");
}

TEST(Names, OfThoseWhoAreNotThereAreNobodysWhoIs) {
  const std::vector<std::string> there = {"ada.cu", "bob/#1", "bob/#2", "absent", "eve"};
  std::vector<SubmissionEntry> present;
  for (const std::string& identity : there) present.push_back({"", "", identity});
  set_shown_names(&present);
  std::vector<std::string> known = {"ada", "bob", "eve.cu", "eve.zip", "version 1/bob?", "a b.cu"};
  known.insert(known.end(), hard_names().begin(), hard_names().end());
  known.push_back("ada.cu");
  const auto names = names_of_all(present, known);
  EXPECT_EQ(names.size(), there.size() + known.size() - 1);
  EXPECT_EQ(names.at("ada.cu"), "ada");
  EXPECT_EQ(names.at("ada"), "ada/absent");
  EXPECT_EQ(names.at("bob"), "bob/absent");
  EXPECT_EQ(names.at("eve.zip"), "eve.zip/absent");
  std::set<std::string> shown;
  for (const auto& [identity, name] : names) EXPECT_TRUE(shown.insert(name).second) << name;
  for (const SubmissionEntry& entry : present) EXPECT_EQ(names.at(entry.identity), entry.name);
}

TEST(Names, InLettersThatLookLikeAnothersAreToldApart) {
  // A Cyrillic a among Latin letters misleads alone; a word of one script, beside its twin.
  EXPECT_EQ(shown_names({"\u0430da.cu"})["\u0430da.cu"], "\\xd0\\xb0da");
  EXPECT_EQ(single_submission("\u0430da.cu").name, "\\xd0\\xb0da.cu");
  auto two = shown_names({"ace.cu", "\u0430\u0441\u0435.cu", "eve.cu"});
  EXPECT_EQ(two["ace.cu"], "ace");
  EXPECT_EQ(two["\u0430\u0441\u0435.cu"], "\\xd0\\xb0\\xd1\\x81\\xd0\\xb5");
  EXPECT_EQ(two["eve.cu"], "eve");
  // The ending may be part of what looks alike.
  auto endings = shown_names({"ace.cu", "\u0430\u0441\u0435.cu.cu"});
  EXPECT_EQ(endings["ace.cu"], "ace");
  EXPECT_EQ(endings["\u0430\u0441\u0435.cu.cu"], "\\xd0\\xb0\\xd1\\x81\\xd0\\xb5.cu");
  // In ASCII as well: what is not the standard's own form of the letter is escaped.
  auto ascii = shown_names({"al.cu", "a1.cu", "aI.cu", "mama.cu", "rnarna.cu", "Simon.cu"});
  EXPECT_EQ(ascii["al.cu"], "al");
  EXPECT_EQ(ascii["a1.cu"], "a\\x31");
  EXPECT_EQ(ascii["aI.cu"], "a\\x49");
  EXPECT_EQ(ascii["mama.cu"], "\\x6da\\x6da");
  EXPECT_EQ(ascii["rnarna.cu"], "rnarna");
  EXPECT_EQ(ascii["Simon.cu"], "Simon");
  auto whole = shown_names({"Simon.cu", "Simon.zip"});
  EXPECT_EQ(whole["Simon.zip"], "Simon.zip") << "one text is no lookalike of itself";
  // Letters of a script that are in nobody's use today; figures of two systems.
  EXPECT_EQ(shown_names({"\u0251da.cu"})["\u0251da.cu"], "\\xc9\\x91da");
  EXPECT_EQ(shown_names({"a1\u0967.cu"})["a1\u0967.cu"], "a1\\xe0\\xa5\\xa7");
}

// A sign that looks like a blank, or parts columns, makes no row of a report.
TEST(Names, SignsThatWordsDoNotNeedAreShownByTheirBytes) {
  for (const std::string sign : {"\u2800", "\u2215", "\u2502", "\u2588", "\u00b0", "\U0001f600"}) {
    std::string bytes;
    for (const unsigned char c : sign) {
      char text[8];
      std::snprintf(text, sizeof text, "\\x%02x", c);
      bytes += text;
    }
    auto two = shown_names({"ada.cu", "ada" + sign + ".cu"});
    EXPECT_EQ(two["ada.cu"], "ada");
    EXPECT_EQ(two["ada" + sign + ".cu"], "ada" + bytes);
    EXPECT_EQ(single_submission(sign + "100.cu").name, bytes + "100.cu");
  }
  // What words are written with.
  for (const std::string honest :
       {"O\u2019Neill", "Gal\u00b7la", "\u30b8\u30e7\u30f3\u30fb\u30b9\u30df\u30b9"})
    EXPECT_EQ(shown_names({honest + ".cu"})[honest + ".cu"], honest);
}

TEST(Names, AreApartWhateverTheLetters) {
  std::mt19937 random(11);
  const char* parts[] = {"a",   "\u0430", "\u0251", "l",    "1",      "I",     "m",
                         "rn",  "\\",     "x31",    "\xFF", "\u0301", "\"",    " ",
                         ".cu", ".zip",   "\u5c0f", "0",    "O",      "\u043e"};
  for (int round = 0; round < 30; ++round) {
    std::set<std::string> names;
    for (int i = 0; i < 300; ++i) {
      std::string name;
      for (size_t n = 1 + random() % 5; n > 0; n--) name += parts[random() % std::size(parts)];
      names.insert(name);
    }
    shown_names({names.begin(), names.end()});
  }
}

// What an archive is, its name says; the first bytes of a tar are a student's.
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
    const std::string path = t.path(zip ? "a.zip" : "a.tar.gz");
    make_archive(path, {{"hw02.cu", "1"}, {"./hw02.cu", "2"}}, zip);
    StagedSubmission staged = stage_submission(single_submission(path), "hw02.cu");
    EXPECT_NE(staged.problem.find("which file is meant"), std::string::npos) << staged.problem;
  }
}

// A hundred thousand take 2.1 s of a processor; to make their files takes a test too long.
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

// No reader of lines, and no terminal, takes a character amiss.
TEST(Names, InJsonAreOneLineOfAscii) {
  Graded g;
  g.verdict.kind = VerdictKind::kFail;
  g.submission = "Jos\u00e9\u2028";
  g.identity = "\xFF\n.cu";
  g.verdict.quoted = Quoted("\xC2\x9B 31m \xFF \u202e\u2028{\"points\": 100}");
  const std::string line = json_line(report_json(g));
  EXPECT_EQ(line.find('\n'), line.size() - 1);
  for (const char c : line) EXPECT_TRUE(c == '\n' || (c >= ' ' && c < '\x7f'));
  const auto back = nlohmann::json::parse(line);
  EXPECT_EQ(back["submission"], g.submission);
  EXPECT_EQ(back["identity"], "ff0a2e6375");
  EXPECT_EQ(back["quoted"].size(), 2u);
  EXPECT_EQ(back["points"], 0.0);
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
