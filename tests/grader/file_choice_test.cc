// SPDX-License-Identifier: Apache-2.0
// Which file is meant: the same of a folder, of an archive, and of a folder in a class's archive.
#include "grader/file_choice.h"

#include "common/backend/module_files.h"
#include "common/base/quoted.h"
#include "common/base/text.h"
#include "grader/stage.h"
#include "tests/grader/archives.h"
#include "tests/grader/temporary.h"

namespace lockstep::grader {
namespace {

// What is made of ada's files, however they come; the second and later where they differ.
std::vector<StagedSubmission> staged_each_way(const std::vector<ArchiveMember>& members) {
  TemporaryFolder t;
  std::vector<StagedSubmission> all;
  for (const ArchiveMember& m : members) {
    if (m.type == AE_IFREG) t.write("ada/" + m.path, m.contents);
    if (m.type != AE_IFLNK) continue;
    const std::filesystem::path link = t.path("ada/" + m.path);
    std::filesystem::create_directories(link.parent_path());
    std::filesystem::create_symlink(m.link, link);
  }
  all.push_back(stage_submission(single_submission(t.path("ada")), "hw02.cu"));
  std::vector<ArchiveMember> of_class = {{"class/zoe.cu", "zoe"}};
  for (ArchiveMember m : members) {
    m.path = "class/ada/" + m.path;
    of_class.push_back(m);
  }
  for (const bool zip : {true, false}) {
    const std::string end = zip ? ".zip" : ".tar.gz";
    make_archive(t.path("ada" + end), members, zip);
    all.push_back(stage_submission(single_submission(t.path("ada" + end)), "hw02.cu"));
    make_archive(t.path("class" + end), of_class, zip);
    const auto list = list_submissions(t.path("class" + end), "hw02.cu", t.path("work"));
    EXPECT_EQ(list.size(), 2u);
    for (const SubmissionEntry& entry : list)
      if (entry.identity == "ada") all.push_back(stage_submission(entry, "hw02.cu"));
  }
  EXPECT_EQ(all.size(), 5u);
  return all;
}

// What lies beside the file that is meant harms nobody.
TEST(FileChoice, WhatIsNotMeantMayBeWhateverItIs) {
  const ArchiveMember link{"previous.cu", "", AE_IFLNK, "../hw01/hw01.cu"};
  const ArchiveMember table{"table.cu", std::string(3 << 19, '/')};
  for (const ArchiveMember& other :
       {link, table, ArchiveMember{"old/hw02.cu", std::string(2 << 20, 'o')},
        ArchiveMember{"old/hw02.cu", "", AE_IFLNK, "x"}})
    for (const StagedSubmission& s : staged_each_way({{"hw02.cu", "good"}, other}))
      EXPECT_EQ(s.contents, "good") << other.path << s.problem;
}

// What a program makes of a name that not all keep, nobody lists: Info-ZIP takes ";1" off, and 255
// out. The starter that comes to be at the top so is not what is graded.
TEST(FileChoice, ANameThatProgramsChangeStandsBesideNothing) {
  for (const std::string& name : std::vector<std::string>{
           "hw02.cu;1", "hw02\xff.cu", "HW02.CU;3", "hw02.cu\xff", "hw02.\x80u", "hw02.c?",
           "hw*2.cu", "hw02.cu|x", "\xc2\x85hw02.cu", "hw02.cu\"",
           "hw0\xef\xbf\xbf\xef\xbf\xbe"
           "2.cu",
           "\xff/hw02.cu", "a\xff/hw02.cu;1", "work;2/\xff/hw02.cu", ".\xff/hw02.cu"}) {
    for (const StagedSubmission& s :
         staged_each_way({{"work/hw02.cu", "good"}, {name, "starter"}})) {
      EXPECT_EQ(s.contents, "") << name;
      EXPECT_NE(s.problem, "") << name;
    }
    // Another's work that is none of the rubric's name is a source nonetheless.
    if (name.find('/') != std::string::npos) continue;
    for (const StagedSubmission& s : staged_each_way({{"mine.cu", "good"}, {name, "starter"}}))
      EXPECT_EQ(s.contents, "") << name;
  }
  const auto told = staged_each_way({{"work/hw02.cu", "good"}, {"hw02\xff.cu", "starter"}});
  EXPECT_NE(told[1].problem.find("hw02\\xff.cu"), std::string::npos) << told[1].problem;
}

TEST(FileChoice, NamesThatProgramsChangeAndNothingHangsOnHarmNobody) {
  for (const std::string& name : std::vector<std::string>{
           "notes; old.txt",
           "\x9a"
           "bung.pdf",
           "hw02 (1).md", "caf\x82", "L\x94sung/notes.txt", "what?.txt", "old/hw02.cu;1",
           "\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x92\xbb.cu", "\xd7\xa9\xd7\x9c/notes.cu",
           "L\xc3\xb6sung/other.cu", "Lo\xcc\x88sung/other.cu", "a;b/other.cu", "hw02 (1).cu"})
    for (const StagedSubmission& s : staged_each_way({{"hw02.cu", "good"}, {name, "other"}}))
      EXPECT_EQ(s.contents, "good") << name << s.problem;
  for (const std::string& name :
       std::vector<std::string>{"L\x94sung/hw02.cu", "L\x94sung.cu", "hw02 (1).cu", "\xc3\x9c 4.cu",
                                "a;b/hw02.cu", "\xf0\x9f\x98\x80.cu"})
    for (const StagedSubmission& s : staged_each_way({{name, "good"}, {"notes?.txt", "other"}}))
      EXPECT_EQ(s.contents, "good") << name << s.problem;
}

// Where nothing else could be taken for it, a folder may be called as its author is, or as a time.
TEST(FileChoice, AFolderThatIsCalledOtherwiseElsewhereHarmsNobodyAlone) {
  for (const std::string& folder : std::vector<std::string>{
           "Homework 2 by Ada L./", "2026-11-24 10:30/", "a /b/", "Aux/", "HW02~1/src/"}) {
    for (const char* name : {"hw02.cu", "mine.cu"})
      for (const StagedSubmission& s :
           staged_each_way({{folder + name, "good"}, {folder + "notes.txt", "n"}}))
        EXPECT_EQ(s.contents, "good") << folder << s.problem;
    for (const std::string& other :
         std::vector<std::string>{"a/b/hw02.cu", folder + "x.cu", "hw02.zip", "hw02.cu.txt",
                                  "hw02.\xD1\x81u", "hw02.cu;1", "hw02.cu:x"})
      for (const StagedSubmission& s :
           staged_each_way({{folder + "hw02.cu", "good"}, {other, "seen"}})) {
        EXPECT_EQ(s.contents, "") << folder << other;
        EXPECT_NE(s.problem, "");
      }
  }
  // Its own name is not the folder's, and what parts a path moves it.
  for (const std::string& name : std::vector<std::string>{"a/hw02.cu.", "hw02.cu:x", "a\\/hw02.cu"})
    for (const StagedSubmission& s : staged_each_way({{name, "good"}}))
      EXPECT_EQ(s.contents, "") << name;
}

// Twice is once too often for the file that is meant alone.
TEST(FileChoice, TwoOfANameThatIsNotMeantHarmNobody) {
  TemporaryFolder t;
  make_archive(
      t.path("c.zip"),
      {{"c/ada/hw02.cu", "good"}, {"c/ada/x.cu", "1"}, {"c/ada/x.cu", "2"}, {"c/bob.cu", ""}},
      true);
  const auto list = list_submissions(t.path("c.zip"), "hw02.cu", t.path("work"));
  ASSERT_EQ(list.size(), 2u);
  EXPECT_EQ(stage_submission(list[0], "hw02.cu").contents, "good") << list[0].problem;
}

TEST(FileChoice, ABlankInFrontIsNotSeen) {
  for (const StagedSubmission& s :
       staged_each_way({{" hw02.cu", "seen"}, {"src/hw02.cu", "graded"}})) {
    EXPECT_EQ(s.contents, "");
    EXPECT_NE(s.problem.find("looks like hw02.cu"), std::string::npos) << s.problem;
  }
}

TEST(FileChoice, AFileThatLooksLikeTheOneIsTold) {
  const std::vector<std::string> names = {
      "hw02.\xD1\x81u",              // Cyrillic es
      "\xD2\xBBw02.cu",              // Cyrillic shha
      "\xD0\x9Dw02.cu",              // Cyrillic En, a capital
      "hwO2.cu",                     // a capital O
      "\xEF\xBD\x88w02.\xD1\x81u",   // a wide h, which is an h as well
      "hw02.\xD1\x81\xE2\x80\x8Bu",  // and a blank of no width
      "\xE2\x80\xAEuc.20wh",         // shown from right to left
      "\xE2\xA0\x80hw02.cu",         // a letter of Braille without a dot
  };
  for (const std::string& name : names) {
    for (const std::string& meant :
         {std::string("old/src/hw02.cu"), std::string("hw02.cu"), std::string("src/my_work.cu")}) {
      const bool source = is_source_name(name, "hw02.cu");
      for (const StagedSubmission& s : staged_each_way({{name, "seen"}, {meant, "graded"}})) {
        EXPECT_EQ(s.contents, "") << meant << " " << name;
        const std::string shown =
            shown_name(name, 60, [](const Character& c) { return c.code >= 0x80; });
        // Of two sources neither of which has the name, nobody is taken in by either.
        const bool which = source && meant == "src/my_work.cu";
        EXPECT_NE(s.problem.find(which ? "which file is meant" : shown + " looks like hw02.cu"),
                  std::string::npos)
            << s.problem;
      }
    }
    // Farther down it is an older one, and alone it is what a person finds.
    for (const StagedSubmission& s : staged_each_way({{"a/hw02.cu", "good"}, {"a/b/" + name, ""}}))
      EXPECT_EQ(s.contents, "good") << s.problem;
    for (const StagedSubmission& s : staged_each_way({{name, "seen"}}))
      EXPECT_EQ(s.contents, is_source_name(name, "hw02.cu") ? "seen" : "") << s.problem;
  }
  for (const char* other : {"hw01.cu", "hw02_old.cu", "hw02.cuh", "hw02.c", "HWO3.CU", "hw02",
                            "uc.20wh", "\xD7\x90\xE2\x80\x8E.txt"})
    for (const StagedSubmission& s : staged_each_way({{"hw02.cu", "good"}, {other, "x"}}))
      EXPECT_EQ(s.contents, "good") << s.problem;
}

// Sets the attributes of members of a zip, in its directory; by number, from 0.
void set_attributes(const std::string& path, const std::vector<unsigned>& attributes) {
  std::string bytes = read_file(path);
  size_t at = 0;
  for (const unsigned one : attributes) {
    at = bytes.find("PK\1\2", at) + 4;
    bytes[at + 34] = static_cast<char>(one & 255);
    bytes[at + 35] = static_cast<char>(one >> 8);
  }
  std::ofstream(path, std::ios::binary) << bytes;
}

// Alone, and in the archive of a class, of which the first member is another's.
std::vector<std::string> with_attributes(const std::vector<ArchiveMember>& members,
                                         std::vector<unsigned> attributes) {
  TemporaryFolder t;
  make_archive(t.path("ada.zip"), members, true);
  set_attributes(t.path("ada.zip"), attributes);
  std::vector<std::string> contents;
  contents.push_back(stage_submission(single_submission(t.path("ada.zip")), "hw02.cu").contents);
  std::vector<ArchiveMember> of_class = {{"c/zoe.cu", "zoe"}};
  for (ArchiveMember m : members) {
    m.path = "c/ada/" + m.path;
    of_class.push_back(m);
  }
  attributes.insert(attributes.begin(), 0);
  make_archive(t.path("c.zip"), of_class, true);
  set_attributes(t.path("c.zip"), attributes);
  const auto list = list_submissions(t.path("c.zip"), "hw02.cu", t.path("work"));
  EXPECT_EQ(list.size(), 2u);
  if (list.size() == 2) contents.push_back(stage_submission(list[0], "hw02.cu").contents);
  return contents;
}

TEST(FileChoice, WhatIsHiddenInWindowsIsNotGradedBesideAnother) {
  using Strings = std::vector<std::string>;
  const Strings none = {"", ""}, good = {"good", "good"};
  const ArchiveMember top{"hw02.cu", "good"}, deep{"hw02/hw02.cu", "seen"};
  for (const unsigned hidden : {0x02u, 0x06u, 0x26u}) {
    EXPECT_EQ(with_attributes({top, deep}, {hidden, 0x20}), none);
    EXPECT_EQ(with_attributes({top, {"other.cu", "seen"}}, {hidden, 0x20}), none);
    EXPECT_EQ(with_attributes({top}, {hidden}), good);
    EXPECT_EQ(with_attributes({top, {"notes.txt", "seen"}}, {hidden, 0}), good);
    EXPECT_EQ(with_attributes({top, deep}, {0x20, hidden}), good);
  }
  // Or lies in a folder that is, whatever its capitals.
  const ArchiveMember in_folder{"src/hw02.cu", "good"}, deeper{"a/b/hw02.cu", "seen"};
  EXPECT_EQ(with_attributes({in_folder, deeper, {"SRC/", "", AE_IFDIR}}, {0, 0, 0x12}), none);
  EXPECT_EQ(with_attributes({in_folder, deeper, {"a/", "", AE_IFDIR}}, {0, 0, 0x12}), good);
}

// What is graded, alone and in the archive of a class.
std::vector<std::string> graded_in_tars(const std::vector<ArchiveMember>& members) {
  TemporaryFolder t;
  make_archive(t.path("ada.tar.gz"), members, false);
  std::vector<ArchiveMember> of_class = {{"c/zoe.cu", "zoe"}};
  for (ArchiveMember m : members) {
    m.path = "c/ada/" + m.path;
    of_class.push_back(m);
  }
  make_archive(t.path("c.tar.gz"), of_class, false);
  const auto list = list_submissions(t.path("c.tar.gz"), "hw02.cu", t.path("work"));
  EXPECT_EQ(list.size(), 2u);
  return {stage_submission(single_submission(t.path("ada.tar.gz")), "hw02.cu").contents,
          stage_submission(list.at(0), "hw02.cu").contents};
}

// A Macintosh shows such a folder as one document.
TEST(FileChoice, WhatLiesInAPackageIsNotGradedBesideAnother) {
  using Strings = std::vector<std::string>;
  const Strings none = {"", ""}, good = {"good", "good"};
  const ArchiveMember other{"homework/gpu/hw02.cu", "seen"};
  for (const char* folder : {"notes.rtfd/", "a.b/"})
    EXPECT_EQ(graded_in_tars({{std::string(folder) + "hw02.cu", "good"}, other}), none) << folder;
  EXPECT_EQ(graded_in_tars({{"hw02.2/hw02.cu", "good"}, other}), good) << "a version";
  EXPECT_EQ(graded_in_tars({{"jane.doe/hw02.cu", "good"}, {"jane.doe/timing.cu", "other"}}), good)
      << "all lie in it";
}

TEST(FileChoice, WhatAFlagOfATarHidesIsNotGradedBesideAnother) {
  using Strings = std::vector<std::string>;
  const Strings none = {"", ""}, good = {"good", "good"};
  const ArchiveMember deep{"hw02/hw02.cu", "seen"};
  for (const char* flags : {"hidden", "uhidden", "nodump,hidden"}) {
    ArchiveMember top{"hw02.cu", "good"};
    top.flags = flags;
    EXPECT_EQ(graded_in_tars({top, deep}), none) << flags;
    EXPECT_EQ(graded_in_tars({top}), good) << flags;
  }
  ArchiveMember top{"hw02.cu", "good"};
  top.flags = "nodump";
  EXPECT_EQ(graded_in_tars({top, deep}), good);
  top = {"hw02.cu", "good"};
  top.finder_info = std::string(8, '\0') + "\x40" + std::string(23, '\0');
  EXPECT_EQ(graded_in_tars({top, deep}), none);
  top.finder_info[8] = '\x20';
  EXPECT_EQ(graded_in_tars({top, deep}), good);
}

// GNOME's and KDE's desktops do not show what the list of a folder names.
TEST(FileChoice, AListOfHiddenNamesMayHideWhatIsMeant) {
  const ArchiveMember top{"src/hw02.cu", "good"}, deep{"a/b/hw02.cu", "seen"};
  for (const char* list : {".hidden", "src/.hidden"})
    for (const StagedSubmission& s : staged_each_way({{list, "hw02.cu\nsrc\n"}, top, deep})) {
      EXPECT_EQ(s.contents, "") << list;
      EXPECT_NE(s.problem.find("hidden, by a .hidden"), std::string::npos) << s.problem;
    }
  for (const char* list : {"a/.hidden", "other/.hidden", ".git/.hidden"})
    for (const StagedSubmission& s : staged_each_way({{list, "hw02.cu\n"}, top, deep}))
      EXPECT_EQ(s.contents, "good") << list << s.problem;
  for (const StagedSubmission& s : staged_each_way({{".hidden", "src"}, top, {"notes.txt", ""}}))
    EXPECT_EQ(s.contents, "good") << s.problem;
}

// By a desktop that knows its ending and leaves it away; what editors and compilers leave none
// knows.
TEST(FileChoice, WhatMayBeShownAsTheFileStandsAgainstItBesideIt) {
  for (const char* name : {"hw02.cu.txt", "HW02.CU.Log", "hw02.cu.lnk", "hw02.cu.url",
                           "hw02.cu.txt ", "hw02.cu.html", "hw02.cu.pdf", "hw02.cu.anything",
                           "hw02.cu.contact", "hw02.cu.webloc", "hw02.cu.r4x", "hw02.cu.r"})
    for (const StagedSubmission& s : staged_each_way({{"hw02.cu", "good"}, {name, "seen"}})) {
      EXPECT_EQ(s.contents, "") << name;
      EXPECT_NE(s.problem, "") << name;
    }
  for (const char* name :
       {"hw02.cu.mine", "hw02.cu.r41", "hw02.cu.starter", "hw02.cu.Backup", "hw02.cu.bak",
        "hw02.cu.orig", "hw02.cu.o", "hw02.txt", "hw02.cu.2", "hw02.cu.~1~", "hw02.cu.diff",
        "old/hw02.cu.txt", "hw01.cu.txt", "hw02.pdf"})
    for (const StagedSubmission& s : staged_each_way({{"hw02.cu", "good"}, {name, "other"}}))
      EXPECT_EQ(s.contents, "good") << name << s.problem;
}

// Windows shows files and folders by the names that a desktop.ini gives.
TEST(FileChoice, AListOfNamesStandsBesideNothing) {
  const std::string renames = "[.ShellClassInfo]\r\nLocalizedResourceName = old\r\n";
  const std::string files = "[x]\r\n[LocalizedFileNames]\r\nnotes.txt=hw02.cu\r\n";
  std::string wide = "\xff\xfe";
  for (const char c : files) wide += {c, '\0'};
  for (const std::string& list : {renames, files, wide, std::string(70000, ' ')}) {
    for (const char* path : {"desktop.ini", "src/Desktop.INI", "a/b/desktop.ini"})
      for (const StagedSubmission& s :
           staged_each_way({{"src/hw02.cu", "good"}, {"notes.txt", "seen"}, {path, list}})) {
        EXPECT_EQ(s.contents, "") << path;
        EXPECT_NE(s.problem.find("gives names by which a desktop shows"), std::string::npos)
            << s.problem;
      }
    for (const StagedSubmission& s : staged_each_way({{"hw02.cu", "good"}, {"desktop.ini", list}}))
      EXPECT_EQ(s.contents, "good") << "there is nothing else: " << s.problem;
  }
  const std::string entry = "[Desktop Entry]\nType=Link\nName=hw02.cu\nURL=notes.txt\n";
  for (const StagedSubmission& s :
       staged_each_way({{"src/hw02.cu", "good"}, {"notes.txt", "seen"}, {"k.desktop", entry}}))
    EXPECT_EQ(s.contents, "") << "an entry that is shown as hw02.cu";
  const std::string of_windows =
      "[LocalizedFileNames]\r\nhw02.cu=@%SystemRoot%\\system32\\shell32.dll,-21770\r\n";
  for (const StagedSubmission& s : staged_each_way(
           {{"hw02.cu", "good"}, {"last/hw02.cu", "seen"}, {"desktop.ini", of_windows}}))
    EXPECT_EQ(s.contents, "") << "a file that Windows calls Documents";
  const std::string honest =
      "[.ShellClassInfo]\r\nIconResource=C:\\drive.ico,0\r\nInfoTip=My notes\r\n"
      "LocalizedResourceName=@%SystemRoot%\\system32\\shell32.dll,-21770\r\n";
  for (const StagedSubmission& s :
       staged_each_way({{"hw02.cu", "good"}, {"notes.txt", "n"}, {"desktop.ini", honest}}))
    EXPECT_EQ(s.contents, "good") << s.problem;
}

// Behind the name as in front of it: a letter of Braille without a dot, a note's head without one.
TEST(FileChoice, SignsBeyondAsciiMayHaveNoInk) {
  for (const char* name : {"hw02.cu\xe2\xa0\x80", "\xe2\xa0\x80hw02.cu", "hw02\xf0\x9d\x85\x99.cu"})
    for (const StagedSubmission& s :
         staged_each_way({{name, "seen"}, {"old/src/hw02.cu", "graded"}})) {
      EXPECT_EQ(s.contents, "") << name;
      EXPECT_NE(s.problem.find("looks like hw02.cu"), std::string::npos) << s.problem;
    }
}

// What hides the folder around them hides all.
TEST(FileChoice, AFolderAroundAllMayBeCalledAnything) {
  for (const char* folder : {"@ada-lovelace/", "Homework 2!/", "'my'/"})
    for (const StagedSubmission& s :
         staged_each_way({{std::string(folder) + "hw02.cu", "good"},
                          {std::string(folder) + "scratch.cu", "another"}}))
      EXPECT_EQ(s.contents, "good") << s.problem;
  for (const StagedSubmission& s :
       staged_each_way({{"work/@new/hw02.cu", "graded"}, {"work/a/b/scratch.cu", "another"}}))
    EXPECT_NE(s.problem.find("may be hidden"), std::string::npos) << s.problem;
}

// In what encoding a name is that is no UTF-8 hangs on the machine: in one, \xE1 is a Cyrillic es.
TEST(FileChoice, ABytesLetterMayBeAny) {
  for (const char* name : {"hw02.\xE1u", "\xF0W02.CU", "hw\x87\x87.cu"})
    for (const StagedSubmission& s :
         staged_each_way({{name, "seen"}, {"old/src/hw02.cu", "graded"}})) {
      EXPECT_EQ(s.contents, "") << name;
      EXPECT_NE(s.problem.find("looks like hw02.cu"), std::string::npos) << s.problem;
    }
  for (const char* name : {"\x81.cu.txt", "hw03.\xE1u", "hw02.\xE1uh"})
    for (const StagedSubmission& s : staged_each_way({{name, "seen"}, {"hw02.cu", "good"}}))
      EXPECT_EQ(s.contents, "good") << s.problem;
}

TEST(FileChoice, AReparsePointIsALink) {
  using Strings = std::vector<std::string>;
  EXPECT_EQ(with_attributes({{"hw02.cu", "good"}}, {0x400}), (Strings{"", ""}));
  // What lies behind one is elsewhere.
  EXPECT_EQ(with_attributes({{"x", "elsewhere"}, {"x/hw02.cu", "good"}}, {0x400, 0})[0], "");
}

// No text has the hash of a problem, of which nothing is kept.
TEST(FileChoice, AProblemIsNoText) {
  TemporaryFolder t;
  t.write("grace.cu", "");
  const StagedSubmission grace = stage_submission(single_submission(t.path("grace.cu")), "hw02.cu");
  ASSERT_EQ(grace.problem, "the file is empty");
  for (const std::string& text : {grace.problem, "problem: " + grace.problem, grace.hash}) {
    t.write("mallory.cu", text);
    const StagedSubmission mallory =
        stage_submission(single_submission(t.path("mallory.cu")), "hw02.cu");
    EXPECT_NE(mallory.hash, grace.hash);
    EXPECT_EQ(mallory.hash.size(), 64u);
  }
  EXPECT_NE(grace.hash.size(), 64u);
}

// A desktop may show it as hw02.cu, and only the archive beside it would be graded.
TEST(FileChoice, WhatMayBeShownAsTheFileStandsAgainstAnArchiveToo) {
  TemporaryFolder t;
  t.write("ada/hw02.cu.txt", "as given out");
  make_archive(t.path("ada/old.zip"), {{"hw02.cu", "solved"}}, true);
  const StagedSubmission s = stage_submission(single_submission(t.path("ada")), "hw02.cu");
  EXPECT_EQ(s.contents, "");
  EXPECT_NE(s.problem.find("hw02.cu.txt may be shown as hw02.cu"), std::string::npos) << s.problem;
}

}  // namespace
}  // namespace lockstep::grader
