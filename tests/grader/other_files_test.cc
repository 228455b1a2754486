// SPDX-License-Identifier: Apache-2.0
// What is neither a source nor an archive is somebody's who is told so, or is told to be nobody's:
// nothing that lies where submissions lie goes without a word.
#include <fstream>
#include <set>

#include "grader/names.h"
#include "tests/grader/archives.h"
#include "tests/grader/intake_class.h"
#include "tests/grader/temporary.h"

namespace lockstep::grader {
namespace {

using Strings = std::set<std::string>;

void write_class(const TemporaryFolder& t, const std::string& name,
                 const std::vector<ArchiveMember>& members) {
  std::vector<ArchiveMember> of_class;
  std::filesystem::create_directories(t.path(name));
  for (ArchiveMember m : members) {
    const std::filesystem::path place = t.path(name + "/" + m.path);
    if (m.type == AE_IFDIR) {
      std::filesystem::create_directories(place);
    } else {
      std::filesystem::create_directories(place.parent_path());
      std::ofstream(place, std::ios::binary) << m.contents;
    }
    m.path = name + "/" + m.path;
    of_class.push_back(m);
  }
  make_archive(t.path(name + ".zip"), of_class, true);
  make_archive(t.path(name + ".tar.gz"), of_class, false);
  make_archive(t.path("flat-" + name + ".zip"), members, true);
}
std::vector<std::string> forms_of(const std::string& name) {
  return {name, name + ".zip", name + ".tar.gz", "flat-" + name + ".zip"};
}

TEST(OtherFiles, AreSubmissionsThatCannotBeTaken) {
  TemporaryFolder t;
  const Strings others = {"ada.cu.txt", "bob.7z",   "carol.rar", "dan.cpp",      "report.pdf",
                          "README",     "hw02.cuh", "eve.gz",    "two\nlines.x", "\xff.x"};
  std::vector<ArchiveMember> members = {
      {"zoe.cu", "zoe"}, {"max/hw02.cu", "max"}, {"empty/", "", AE_IFDIR}};
  for (const std::string& name : others) members.push_back({name, "other"});
  write_class(t, "class", members);
  for (const std::string& form : forms_of("class")) {
    Strings found, cannot;
    LeftBehind left;
    for (const auto& entry : list_submissions(t.path(form), "hw02.cu", t.path("work"), {}, &left)) {
      EXPECT_TRUE(found.insert(entry.identity).second);
      EXPECT_EQ(entry.other, others.contains(entry.identity)) << form << entry.name;
      const StagedSubmission staged = stage_submission(entry, "hw02.cu");
      if (!entry.other) continue;
      EXPECT_EQ(staged.contents, "");
      for (const char* words : {"is neither a .cu file nor an archive", "zip, tar, tar.gz",
                                "; hand in hw02.cu, or one of these with it"})
        EXPECT_NE(staged.problem.find(words), std::string::npos) << form << staged.problem;
      EXPECT_EQ(staged.problem.find('\n'), std::string::npos);
      EXPECT_TRUE(cannot.insert(staged.hash).second || form == "class") << staged.problem;
    }
    EXPECT_EQ(found.size(), members.size()) << form;
    EXPECT_EQ(left.notes(), std::vector<std::string>()) << form;
  }
}

TEST(OtherFiles, ThatProgramsLeaveAreToldByName) {
  TemporaryFolder t;
  write_class(t, "class",
              {{"zoe.cu", "zoe"},
               {"._zoe.cu", "m"},
               {"dan.cpp", "d"},
               {"dan.cpp:Zone.Identifier", "z"},
               {".DS_Store", "d"},
               {"Thumbs.db", "t"},
               {"DESKTOP.INI", "d"},
               {"Icon\r", "i"},
               {"submission_metadata.yml", "y"},
               {".git/HEAD", "h"},
               {"__MACOSX/._zoe.cu", "m"}});
  for (const std::string& form : forms_of("class")) {
    LeftBehind left;
    Strings found;
    for (const auto& entry : list_submissions(t.path(form), "hw02.cu", t.path("work"), {}, &left))
      found.insert(entry.identity);
    EXPECT_EQ(found, (Strings{"zoe.cu", "dan.cpp"})) << form;
    EXPECT_EQ(left.names, (Strings{".DS_Store", "Thumbs.db", "DESKTOP.INI", "Icon\r", ".git",
                                   "submission_metadata.yml", "__MACOSX"}))
        << form;
    EXPECT_EQ(left.companions, (Strings{"._zoe.cu", "dan.cpp:Zone.Identifier"})) << form;
    EXPECT_EQ(left.outside, Strings()) << form;
    const std::vector<std::string> notes = left.notes();
    ASSERT_EQ(notes.size(), 2u) << form;
    EXPECT_EQ(notes[0],
              "no submission: .DS_Store, .git, DESKTOP.INI, Icon\\x0d, Thumbs.db, __MACOSX, "
              "submission_metadata.yml, as desktops and platforms leave them");
    EXPECT_NE(notes[1].find("no submission: ._zoe.cu, dan.cpp:Zone.Identifier, as programs"),
              std::string::npos)
        << notes[1];
  }
}

// A source is one, whatever it is called; so is a link, on which nobody is led anywhere.
TEST(OtherFiles, OfAHiddenNameOrALinkAreWhatTheyWere) {
  TemporaryFolder t;
  t.write("class/.hidden.cu", "h");
  t.write("class/.all.zip", "z");
  t.write("secret", "s");
  std::filesystem::create_symlink(t.path("secret"), t.path("class/notes.txt"));
  std::filesystem::create_symlink(t.path("secret"), t.path("class/desktop.ini"));
  ASSERT_EQ(mkfifo(t.path("class/pipe.txt").c_str(), 0600), 0);
  LeftBehind left;
  const auto list = list_submissions(t.path("class"), "hw02.cu", t.path("work"), {}, &left);
  EXPECT_EQ(list.size(), 5u);
  EXPECT_EQ(left.notes(), std::vector<std::string>());
  for (const auto& entry : list) {
    const StagedSubmission staged = stage_submission(entry, "hw02.cu");
    EXPECT_EQ(staged.contents, entry.identity == ".hidden.cu" ? "h" : "");
    EXPECT_EQ(entry.other, entry.identity == "pipe.txt");
    if (std::filesystem::is_symlink(entry.path)) {
      EXPECT_NE(staged.problem.find("symbolic link"), std::string::npos) << staged.problem;
    }
  }
}

// They decide nothing of what a class is, and what lies outside of it is told.
TEST(OtherFiles, DoNotDecideWhatAClassIs) {
  TemporaryFolder t;
  const auto listed = [&](const char* name, std::vector<ArchiveMember> members, LeftBehind* left) {
    Strings found;
    make_archive(t.path(name), members, std::string(name).ends_with("zip"));
    for (const auto& e : list_submissions(t.path(name), "hw02.cu", t.path("work"), {}, left))
      found.insert(e.identity);
    return found;
  };
  const ArchiveMember top{"class/", "", AE_IFDIR}, notes{"notes.txt", "n"},
      pdf{"class/report.pdf", "r"};
  for (const char* end : {".zip", ".tar.gz"}) {
    const std::string class_name = std::string("class") + end, other = std::string("x") + end;
    LeftBehind left;
    EXPECT_EQ(listed(class_name.c_str(), {top, {"class/ada.cu", "a"}, pdf, notes}, &left),
              (Strings{"ada.cu", "report.pdf"}));
    EXPECT_EQ(left.outside, Strings{"notes.txt"});
    EXPECT_NE(left.notes().at(0).find("notes.txt, beside the folder in which"), std::string::npos);
    left = {};
    EXPECT_EQ(listed(other.c_str(), {top, {"class/ada.cu", "a"}, {"class/bob.cu", "b"}, pdf, notes},
                     &left),
              (Strings{"ada.cu", "bob.cu", "report.pdf"}));
    EXPECT_EQ(left.outside, Strings{"notes.txt"});
    // One who is alone stays so.
    left = {};
    EXPECT_EQ(listed(other.c_str(), {top, {"class/hw02.cu", "a"}, pdf}, &left), Strings{"class"});
    EXPECT_EQ(listed(other.c_str(), {top, {"class/my.cu", "a"}, pdf}, &left), Strings{"class"});
    EXPECT_EQ(left.notes(), std::vector<std::string>());
    // Nor is one who has a folder and nothing in it passed over.
    EXPECT_EQ(listed(other.c_str(),
                     {{"./", "", AE_IFDIR}, {"ada/", "", AE_IFDIR}, {"bob.cu", "b"}, notes}, &left),
              (Strings{"ada", "bob.cu", "notes.txt"}));
    EXPECT_EQ(left.notes(), std::vector<std::string>());
    EXPECT_EQ(listed(other.c_str(), {{"ada.cu", "a"}, {"../../x.txt", "x"}}, &left),
              Strings{"ada.cu"});
    EXPECT_EQ(left.notes().at(0),
              "no submission: ../../x.txt, whose paths lead out of the archive");
  }
}

TEST(OtherFiles, AreBounded) {
  TemporaryFolder t;
  StageLimits limits;
  limits.class_entries = 20;
  LeftBehind left;
  for (int i = 0; i < 30; ++i) t.write("left/.x" + std::to_string(i), "");
  EXPECT_EQ(list_submissions(t.path("left"), "hw02.cu", t.path("w"), limits, &left).size(), 0u);
  EXPECT_NE(left.notes().at(0).find(" and 10 others, as desktops"), std::string::npos);
  std::vector<ArchiveMember> members;
  for (int i = 0; i < 30; ++i) members.push_back({std::to_string(i) + ".txt", ""});
  write_class(t, "class", members);
  for (const std::string& form : forms_of("class"))
    EXPECT_THROW(list_submissions(t.path(form), "hw02.cu", t.path("w"), limits), Error) << form;
}

TEST_F(Taken, WhatCannotBeTakenIsWhoseItIs) {
  for (const char* name : {"ada.cu.txt", "bob.7z", "carol.rar", "dan.cpp", "eve.cu", "eve.pdf",
                           "fay.doc", "fay.odt", "README.md", "x.txt", "gus.cu.txt", "j.smith"})
    t.write(std::string("c/") + name, "1");
  t.write("c/kim.v2/hw02.cu", "1");
  const std::string table =
      "student,file\nAda,ada\nBob,bob.cu\nCarol,carol.zip\nDan,dan.cpp\nEve,eve\nFay,fay\n"
      "Gus,gus.cu.txt\nX1,x.cu\nX2,x.zip\nKim,kim\nZoe,zoe\n";
  for (const bool archive : {false, true}) {
    if (archive) {
      std::vector<ArchiveMember> members;
      for (const auto& item : std::filesystem::recursive_directory_iterator(t.path("c")))
        if (item.is_regular_file())
          members.push_back({std::filesystem::relative(item.path(), t.path("c")), "1"});
      make_archive(t.path("c.zip"), members, true);
    }
    const Intake intake = take("", archive ? "c.zip" : "c", table);
    EXPECT_EQ(owners(intake), (Owners{{"student//Ada", "ada.cu.txt"},
                                      {"student//Bob", "bob.7z"},
                                      {"student//Carol", "carol.rar"},
                                      {"student//Dan", "dan.cpp"},
                                      {"student//Eve", "eve.cu"},
                                      {"student//Gus", "gus.cu.txt"},
                                      {"fay.doc", "fay.doc"},
                                      {"fay.odt", "fay.odt"},
                                      {"README.md", "README.md"},
                                      {"x.txt", "x.txt"},
                                      {"j.smith", "j.smith"},
                                      {"kim.v2", "kim.v2"}}));
    EXPECT_TRUE(is_noted(intake, "eve.pdf is not graded: eve.cu of the same student counts"));
    EXPECT_TRUE(is_noted(intake, "Fay has several submissions"));
    for (const char* nobody : {"README.md", "x.txt", "j.smith", "kim.v2"})
      EXPECT_TRUE(is_noted(intake, std::string(nobody) + " is nobody's in the table")) << nobody;
    // X1, X2, Kim and Zoe.
    EXPECT_TRUE(is_noted(intake, "4 of the table of students have handed in nothing"));
    for (const SubmissionEntry& entry : intake.entries) {
      if (entry.identity == "student//Eve") continue;
      EXPECT_EQ(entry.other, entry.identity != "kim.v2") << entry.identity;
    }
    EXPECT_FALSE(intake.submitted.contains("eve.pdf"));
  }
}

// Nobody's source is displaced by what is none, whoever handed that in and however new it is.
TEST_F(Taken, FromCanvasAReportBesideTheSourceDoesNotCount) {
  for (const char* name :
       {"a_101_9001_my_work.cu", "a_101_9002_report.pdf", "a_101_9003_hw02-9.txt",
        "b_102_9004_hw02.cu.txt", "c_LATE_103_text.html", "d_104_9005_hw02.cu", "d_104_link.html",
        "rayb_34_105_text.html", "notes.txt", "grades.xlsx", "more.txt", "most.txt", "all.txt",
        "x.txt", "y.txt"})
    t.write(std::string("c/") + name, "1");
  const Intake intake =
      take("canvas", "c", "student,canvas\na,101\nb,102\nc,103\nd,104\nbob,34\nray,105\n");
  const Owners all = owners(intake);
  EXPECT_EQ(all.at("student//a"), "a_101_9001_my_work.cu");
  EXPECT_EQ(all.at("student//b"), "b_102_9004_hw02.cu.txt");
  EXPECT_EQ(all.at("student//c"), "c_LATE_103_text.html");
  EXPECT_EQ(all.at("student//d"), "d_104_9005_hw02.cu");
  EXPECT_TRUE(all.contains("rayb_34_105_text.html"));
  EXPECT_TRUE(all.contains("grades.xlsx"));
  EXPECT_EQ(all.size(), 12u);
  EXPECT_TRUE(is_noted(intake, "a_101_9002_report.pdf is not graded: a_101_9001_my_work.cu"));
  EXPECT_TRUE(is_noted(intake, "d_104_link.html is not graded: d_104_9005_hw02.cu"));
  EXPECT_TRUE(is_noted(intake, "rayb_34_105_text.html may be Canvas' 34's or 105's"));
  EXPECT_TRUE(is_noted(intake, "c_LATE_103_text.html is marked late"));
  EXPECT_TRUE(is_noted(intake, "notes.txt is not named as canvas names submissions"));
  EXPECT_TRUE(is_noted(intake, "2 of the table of students have handed in nothing"));
}

// Names of archives tell little, and figures may be uploaded last.
TEST_F(Taken, FromCanvasTheArchiveWithTheSourceCounts) {
  const auto pack = [&](const std::string& name, const std::string& file) {
    std::filesystem::create_directories(t.path("c"));
    make_archive(t.path("c/" + name), {{file, "x"}, {"notes.txt", "n"}}, true);
  };
  pack("a_101_9002_hw02.zip", "hw02.cu");
  pack("a_101_9003_figures.zip", "times.csv");
  pack("b_102_9004_final.zip", "hw02.cu");
  pack("b_102_9005_figures.zip", "times.csv");
  pack("c_103_9006_HW02.cu.zip", "hw02.cu");
  pack("c_103_9007_tries.zip", "old.cu");
  pack("d_104_9008_one.zip", "one.cu");
  pack("d_104_9009_two.zip", "two.cu");
  pack("e_105_9010_hw02.zip", "hw02.cu");
  t.write("c/e_105_9009_hw02.cu", "1");
  pack("f_106_9011_tables.zip", "times.csv");
  pack("f_106_9012_figures.zip", "times.csv");
  const Intake intake = take("canvas", "c");
  EXPECT_EQ(owners(intake), (Owners{{"canvas//101", "a_101_9002_hw02.zip"},
                                    {"canvas//102", "b_102_9004_final.zip"},
                                    {"canvas//103", "c_103_9006_HW02.cu.zip"},
                                    {"canvas//104", "d_104_9009_two.zip"},
                                    {"canvas//105", "e_105_9009_hw02.cu"},
                                    {"canvas//106", "f_106_9012_figures.zip"}}));
  EXPECT_TRUE(is_noted(intake, "a_101_9003_figures.zip is not graded: a_101_9002_hw02.zip"));
}

TEST_F(Taken, FromMoodleWhatWasTypedIsTheStudentsWhoHasNoFile) {
  const std::string file = "_assignsubmission_file", text = "_assignsubmission_onlinetext";
  t.write("m/Ada_1" + file + "/hw02.cu", "1");
  t.write("m/Ada_1" + text + "/onlinetext.html", "1");
  t.write("m/Bob_2" + text + "/onlinetext.html", "1");
  t.write("m/Cy_3" + file + "_hw02.cu", "1");
  t.write("m/Cy_3" + file + "_report.pdf", "1");
  t.write("m/Dee_4" + file + "_hw02.cu.txt", "1");
  t.write("m/Eve_5" + text + "_x_1" + file + "_hw02.cu", "1");
  const Intake intake = take("moodle", "m", "student,moodle\na,1\nb,2\nc,3\nd,4\n");
  EXPECT_EQ(owners(intake), (Owners{{"student//a", "Ada_1" + file},
                                    {"student//b", "Bob_2" + text},
                                    {"student//c", "Cy_3" + file + "_hw02.cu"},
                                    {"student//d", "Dee_4" + file + "_hw02.cu.txt"},
                                    {"Eve_5" + text + "_x_1" + file + "_hw02.cu",
                                     "Eve_5" + text + "_x_1" + file + "_hw02.cu"}}));
  EXPECT_FALSE(is_noted(intake, "have handed in nothing"));
  EXPECT_TRUE(is_noted(intake, "has the form of Moodle's names twice"));
}

TEST_F(Taken, FromClonesAndGradescopeWhatLiesBesideIsTold) {
  t.write("g/hw02-ada/hw02.cu", "1");
  t.write("g/roster.csv", "1");
  t.write("g/hw02-bob.txt", "1");
  const Intake clones = take("github", "g");
  EXPECT_EQ(owners(clones), (Owners{{"github//ada", "hw02-ada"},
                                    {"roster.csv", "roster.csv"},
                                    {"hw02-bob.txt", "hw02-bob.txt"}}));
  EXPECT_TRUE(is_noted(clones, "roster.csv is not named as github names submissions"));
  t.write("e/submission_7/hw02.cu", "1");
  t.write("e/notes.txt", "1");
  t.write("e/submission_metadata.yml", "submission_7:\n  :submitters:\n  - :email: ada@x.edu\n");
  const Intake exported = take("gradescope", "e");
  EXPECT_EQ(owners(exported),
            (Owners{{"gradescope//ada@x.edu", "submission_7"}, {"notes.txt", "notes.txt"}}));
}

}  // namespace
}  // namespace lockstep::grader
