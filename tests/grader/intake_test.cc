// SPDX-License-Identifier: Apache-2.0
// Whose a submission is, platforms tell, and nothing that a student chose.
#include "grader/late.h"
#include "runner/process.h"
#include "tests/grader/intake_class.h"

namespace lockstep::grader {
namespace {

namespace fs = std::filesystem;

TEST_F(Taken, FromCanvasTheNewestUploadCountsAndTheOthersAreTold) {
  for (const char* name : {"lovelaceada_101_9001_hw02.cu", "lovelaceada_101_9002_hw02-1.cu",
                           "lovelaceada_101_9003_hw02-2.cu", "hoppergrace_LATE_102_9004_hw02.cu",
                           "ritchiedennis_103_9006_notes.cu", "ritchiedennis_103_9005_HW02.cu",
                           "late_LATE_104_9007_all.zip", "o_late_105_9008_hw02.cu", "readme.cu",
                           "x_106_9009_y_107_9010_hw02.cu", "kay_123456789012345678901_1_hw02.cu"})
    t.write(std::string("c/") + name, "1");
  const Intake intake = take("canvas", "c");
  EXPECT_EQ(owners(intake),
            (Owners{{"canvas//101", "lovelaceada_101_9003_hw02-2.cu"},
                    {"canvas//102", "hoppergrace_LATE_102_9004_hw02.cu"},
                    {"canvas//103", "ritchiedennis_103_9005_HW02.cu"},
                    {"canvas//104", "late_LATE_104_9007_all.zip"},
                    {"canvas//105", "o_late_105_9008_hw02.cu"},
                    {"x_106_9009_y_107_9010_hw02.cu", "x_106_9009_y_107_9010_hw02.cu"},
                    {"kay_123456789012345678901_1_hw02.cu", "kay_123456789012345678901_1_hw02.cu"},
                    {"readme.cu", "readme.cu"}}));
  EXPECT_TRUE(is_noted(intake, "lovelaceada_101_9001_hw02.cu is not graded"));
  EXPECT_TRUE(is_noted(intake, "lovelaceada_101_9002_hw02-1.cu is not graded"));
  EXPECT_TRUE(is_noted(intake, "ritchiedennis_103_9006_notes.cu is not graded"));
  EXPECT_TRUE(is_noted(intake, "hoppergrace_LATE_102_9004_hw02.cu is marked late"));
  EXPECT_FALSE(is_noted(intake, "o_late_105_9008_hw02.cu is marked late"));
  EXPECT_TRUE(is_noted(intake, "x_106_9009_y_107_9010_hw02.cu may be Canvas' 106's or 107's"));
  EXPECT_TRUE(is_noted(intake, "readme.cu is not named as canvas names submissions"));
  for (const auto& [identity, submitted] : intake.submitted)
    EXPECT_EQ(submitted.at, "") << identity;
}

// Whoever is called "rayb_34" hands in nothing as Canvas' 34.
TEST_F(Taken, FromCanvasANameThatEndsInANumberIsNobodys) {
  for (const char* name :
       {"rayb_34_78_902_hw02-99.cu", "rayb_34_901_reduction.cu", "lee_12_905_2026_hw02.cu"})
    t.write(std::string("c/") + name, "1");
  for (const char* table : {"student,canvas\nbob,34\neve,78\n", "student,canvas\nbob,34\n"}) {
    const Intake intake = take("canvas", "c", table);
    EXPECT_EQ(owners(intake), (Owners{{"student//bob", "rayb_34_901_reduction.cu"},
                                      {"rayb_34_78_902_hw02-99.cu", "rayb_34_78_902_hw02-99.cu"},
                                      {"lee_12_905_2026_hw02.cu", "lee_12_905_2026_hw02.cu"}}))
        << table;
    EXPECT_TRUE(is_noted(intake, "rayb_34_78_902_hw02-99.cu may be Canvas' 34's or 78's"));
  }
  const Intake told =
      take("canvas", "c", "student,canvas,file\nbob,34,\nlee,,lee_12_905_2026_hw02.cu\n");
  EXPECT_EQ(owners(told).at("student//lee"), "lee_12_905_2026_hw02.cu");
}

TEST_F(Taken, FromMoodleANameThatImitatesAnotherIsOfNoUse) {
  const std::string words = "_assignsubmission_file", mark = words + "_";
  t.write("m/Ada Lovelace_1" + mark + "/hw02.cu", "1");
  t.write("m/Ann Lee_12" + words + "/hw02.cu", "1");  // Moodle 4.2 and later
  // A full name that ends as if it were somebody's, could it hold marks, or a folder in one's own.
  t.write("m/Mallory_1" + mark + "_2" + mark + "/hw02.cu", "1");
  t.write("m/Mallory_2" + mark + "x_12" + words + "/hw02.cu", "1");
  // The form without folders: a file's name that does.
  t.write("m/Grace Hopper_3" + mark + "hw02.cu", "1");
  t.write("m/Eve_4" + mark + "x_3" + mark + "hw02.cu", "1");
  t.write("m/No Number" + mark + "/hw02.cu", "1");
  t.write("m/Ann_12" + words + "x/hw02.cu", "1");
  const Intake intake = take("moodle", "m");
  EXPECT_EQ(owners(intake),
            (Owners{{"moodle//1", "Ada Lovelace_1" + mark},
                    {"moodle//12", "Ann Lee_12" + words},
                    {"moodle//3", "Grace Hopper_3" + mark + "hw02.cu"},
                    {"Mallory_1" + mark + "_2" + mark, "Mallory_1" + mark + "_2" + mark},
                    {"Mallory_2" + mark + "x_12" + words, "Mallory_2" + mark + "x_12" + words},
                    {"Eve_4" + mark + "x_3" + mark + "hw02.cu",
                     "Eve_4" + mark + "x_3" + mark + "hw02.cu"},
                    {"No Number" + mark, "No Number" + mark},
                    {"Ann_12" + words + "x", "Ann_12" + words + "x"}}));
  EXPECT_TRUE(is_noted(intake, "has the form of Moodle's names twice"));
  EXPECT_TRUE(is_noted(intake, "is not named as moodle names submissions"));
}

// The form without folders: of several files of one student's the one that is asked for.
TEST_F(Taken, FromMoodleWithoutFoldersTheFileThatIsAskedForCounts) {
  for (const char* name : {"bench.cu", "hw02.cu", "notes.cu"})
    t.write(std::string("m/Ada Lovelace_1_assignsubmission_file_") + name, "1");
  EXPECT_EQ(owners(take("moodle", "m")),
            (Owners{{"moodle//1", "Ada Lovelace_1_assignsubmission_file_hw02.cu"}}));
}

// Nobody is told that a whole class is absent.
TEST_F(Taken, WhereMostAreNotNamedAsThePlatformDoesNobodyIsGraded) {
  for (const char* name : {"ada.cu", "bob.cu", "eve_1_2_hw02.cu", "eve_1_2_3_hw02.cu"})
    t.write(std::string("c/") + name, "1");
  EXPECT_EQ(take("canvas", "c").entries.size(), 4u) << "half are not most";
  t.write("c/zoe.cu", "1");
  try {
    take("canvas", "c", "student,canvas\nada,1\n");
    ADD_FAILURE();
  } catch (const Error& e) {
    const std::string what = e.what();
    EXPECT_NE(what.find("3 of 5 submissions are not named as canvas names them, like ada.cu"),
              std::string::npos)
        << what;
  }
  EXPECT_EQ(take("", "c").entries.size(), 5u);
}

// `shell` of a command, with a clock that the committer chose.
ProcessResult shell(const std::string& folder, const std::string& script) {
  return run_process({"/bin/sh", "-ec", "cd " + folder + "; " + script},
                     {"PATH=/usr/bin:/bin", "HOME=" + folder, "GIT_AUTHOR_NAME=a",
                      "GIT_AUTHOR_EMAIL=a@x", "GIT_COMMITTER_NAME=a> 99 +0000\n",
                      "GIT_COMMITTER_EMAIL=a@x", "GIT_COMMITTER_DATE=2026-11-20T12:00:00-05:00"},
                     {});
}

TEST_F(Taken, FromClonesTheCommitTellsWhenAndTheCloneRunsNothing) {
  for (const char* name : {"hw02-Ada-L", "hw02-packed", "hw02-detached", "hw02-none", "elsewhere"})
    t.write(std::string("g/") + name + "/hw02.cu", "1");
  const std::string commit =
      "git init -q -b main . && git add . && git commit -q -m 'committer x 1 +0000'";
  if (!shell(t.path("g/hw02-Ada-L"), commit).good()) GTEST_SKIP() << "no git";
  ASSERT_TRUE(
      shell(t.path("g/hw02-packed"), commit + " && git gc -q && git pack-refs --all").good());
  ASSERT_TRUE(shell(t.path("g/hw02-detached"), commit + " && git checkout -q --detach").good());
  // What git does for a repository that is configured so.
  t.write("evil", "#!/bin/sh\ntouch " + t.path("ran") + "\nexit 1\n");
  fs::permissions(t.path("evil"), fs::perms::owner_all);
  std::ofstream(t.path("g/hw02-Ada-L/.git/config"), std::ios::app)
      << "[core]\n fsmonitor = " << t.path("evil") << "\n pager = " << t.path("evil")
      << "\n[log]\n showSignature = true\n[gpg]\n program = " << t.path("evil")
      << "\n[extensions]\n partialClone = x\n[remote \"x\"]\n promisor = true\n url = ext::"
      << t.path("evil") << "\n";
  const Intake intake = take("github", "g");
  const Owners all = owners(intake);
  EXPECT_EQ(all.at("github//ada-l"), "hw02-Ada-L");
  EXPECT_TRUE(all.contains("elsewhere"));
  for (const char* who : {"github//ada-l", "github//packed", "github//detached"}) {
    EXPECT_EQ(intake.submitted.at(who).at, "2026-11-20T17:00:00Z") << who;
    EXPECT_EQ(intake.submitted.at(who).told_by, "git") << who;
    EXPECT_EQ(intake.submitted.at(who).commit.size(), 40u) << who;
  }
  // Students name branches; what git takes for a name is one.
  for (const std::string& branch : std::vector<std::string>{
           "final,version", "b!\"$%&'();<=>@`{|}", "L\xc3\xb6sung", "a/b.c/d", "x\xff", "@"}) {
    const std::string head = "refs/heads/" + branch;
    const std::string commit_hash = intake.submitted.at("github//detached").commit;
    t.write("g/hw02-detached/.git/HEAD", "ref: " + head + "\n");
    t.write("g/hw02-detached/.git/" + head, commit_hash + "\n");
    EXPECT_EQ(take("github", "g").submitted.at("github//detached").commit, commit_hash) << branch;
  }
  EXPECT_EQ(intake.submitted.at("github//none").at, "");
  EXPECT_FALSE(fs::exists(t.path("ran")));
  for (const char* head : {"ref: refs/../../../../etc/hostname\n", "ref: /etc/hostname\n",
                           "ref: refs//heads/main\n", "ref: refs/heads/.x\n", "x\n", ""}) {
    t.write("g/hw02-packed/.git/HEAD", head);
    EXPECT_EQ(take("github", "g").submitted.at("github//packed").at, "") << head;
  }
}

TEST_F(Taken, ATableNamesStudentsAndTellsTheOthers) {
  for (const char* name : {"a_101_1_hw02.cu", "b_102_2_hw02.cu", "c_103_3_hw02.cu"})
    t.write(std::string("c/") + name, "1");
  const Intake intake = take("canvas", "c",
                             "student,canvas,submitted\r\n"
                             "ada,101,2026-11-20T12:00:00+01:00\r\n"
                             "\"bob, b\",102,\r\nzoe,104,\r\n");
  EXPECT_EQ(owners(intake), (Owners{{"student//ada", "a_101_1_hw02.cu"},
                                    {"student//bob, b", "b_102_2_hw02.cu"},
                                    {"canvas//103", "c_103_3_hw02.cu"}}));
  std::vector<std::string> names;
  for (const SubmissionEntry& entry : intake.entries) names.push_back(entry.name);
  std::sort(names.begin(), names.end());
  EXPECT_EQ(names, (std::vector<std::string>{"\"bob, b\"", "103", "ada"}));
  EXPECT_EQ(intake.submitted.at("student//ada").at, "2026-11-20T11:00:00Z");
  EXPECT_EQ(intake.submitted.at("student//ada").told_by, "table");
  EXPECT_TRUE(is_noted(intake, "canvas//103 is nobody's"));
  EXPECT_TRUE(is_noted(intake, "1 of the table of students have handed in nothing"));
}

// Whoever hands in under another's name gets in nobody's place.
TEST_F(Taken, OfSeveralForOneStudentNoneIsChosen) {
  t.write("c/ada.cu", "1");
  t.write("c/ada/hw02.cu", "2");
  t.write("c/bob.cu", "3");
  const Intake intake = take("", "c", "student,file\nA,ada\nB,bob.cu\n");
  EXPECT_EQ(owners(intake),
            (Owners{{"ada.cu", "ada.cu"}, {"ada", "ada"}, {"student//B", "bob.cu"}}));
  EXPECT_TRUE(is_noted(intake, "A has several submissions"));
}

TEST(Students, AreReadStrictly) {
  const StudentTable table = StudentTable::read(
      "\xef\xbb\xbfstudent,name,github,email,canvas\n"
      "1,\"Ada \"\"A\"\" L,\nLovelace\",AdaL,ada@x.edu,\n\n2,,,,7\n",
      "t.csv");
  ASSERT_EQ(table.all().size(), 2u);
  EXPECT_EQ(table.all()[0].name, "Ada \"A\" L,\nLovelace");
  EXPECT_EQ(table.find("github//adal"), &table.all()[0]);
  EXPECT_EQ(table.find(platform_identity("gradescope", "ADA@x.edu")), &table.all()[0]);
  EXPECT_EQ(table.find("canvas//7"), &table.all()[1]);
  EXPECT_EQ(table.find("student//2"), &table.all()[1]);
  EXPECT_EQ(table.find("canvas//"), nullptr);
  EXPECT_EQ(table.find("7"), nullptr);
  const std::vector<std::pair<std::string, std::string>> wrong = {
      {"", "t.csv:1: is empty"},
      {"name\nx\n", "t.csv:1: there is no column 'student'"},
      {"student,colour\nx,y\n", "t.csv:1: no column is called colour"},
      {"student,student\nx,y\n", "t.csv:1: two columns"},
      {"student,name\nx\n", "t.csv:2: 1 cells; expected 2"},
      {"student,name\n,x\n", "t.csv:2: 'student' is empty"},
      {"student\nx\nx\n", "t.csv:3: 'student': x is another student's"},
      {"student,canvas\nx,1\ny,1\n", "t.csv:3: 'canvas': 1 is another student's"},
      {"student,submitted\nx,today\n", "t.csv:2: 'submitted': today is no time"},
      {"student\n\"x\n", "t.csv:2: a quotation mark is not closed"},
      {"student\n\"x\"y\n", "t.csv:2: text stands behind"}};
  for (const auto& [text, message] : wrong) try {
      StudentTable::read(text, "t.csv");
      ADD_FAILURE() << text;
    } catch (const Error& e) {
      EXPECT_EQ(std::string(e.what()).rfind(message, 0), 0u) << e.what();
    }
}

TEST(Late, TimesAreReadWithTheirZone) {
  const std::vector<std::pair<std::string, std::string>> times = {
      {"2026-11-20T23:59:00Z", "2026-11-20T23:59:00Z"},
      {"2018-07-01T14:22:32.365935-07:00", "2018-07-01T21:22:32Z"},
      {"2023-01-20 12:34:56.789000000 Z", "2023-01-20T12:34:56Z"},
      {"2024-02-29 23:59:59 UTC", "2024-02-29T23:59:59Z"},
      {"2026-01-01T00:30:00+01:00", "2025-12-31T23:30:00Z"},
      {"1969-12-31T23:59:59Z", "1969-12-31T23:59:59Z"}};
  for (const auto& [text, utc] : times) {
    ASSERT_TRUE(parse_time(text).has_value()) << text;
    EXPECT_EQ(utc_text(*parse_time(text)), utc);
  }
  for (const char* text : {"", "2026-11-20", "2026-11-20T23:59:00", "2026-02-29T00:00:00Z",
                           "2026-11-20T24:00:00Z", "2026-11-20T23:60:00Z", "x2026-11-20T23:59:00Z",
                           "2026-11-20T23:59:00Z ", "2026-11-20T23:59:00+99:00"})
    EXPECT_FALSE(parse_time(text).has_value()) << text;
}

TEST(Late, CostsByDaysThatHaveBegun) {
  const int64_t due = *parse_time("2026-11-20T23:59:00Z");
  const LatePolicy policy{due, 10, 3, 600};
  const auto keeps = [&](int64_t after) { return lateness(policy, due + after).keeps; };
  EXPECT_EQ(keeps(-100000), 1);
  EXPECT_EQ(keeps(600), 1) << "within the grace";
  EXPECT_EQ(keeps(601), 0.9);
  EXPECT_EQ(keeps(86400), 0.9);
  EXPECT_EQ(keeps(86401), 0.8);
  EXPECT_DOUBLE_EQ(keeps(3 * 86400), 0.7);
  EXPECT_EQ(keeps(3 * 86400 + 1), 0) << "later than max_days";
  EXPECT_EQ(lateness(policy, due + 600).words, "");
  EXPECT_EQ(lateness(policy, due + 86401).words, "2 days late (2026-11-21T23:59:01Z): 20% off");
  EXPECT_EQ(lateness({due, 60, 9, 0}, due + 2 * 86400).keeps, 0) << "never below nothing";
}

}  // namespace
}  // namespace lockstep::grader
