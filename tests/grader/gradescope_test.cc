// SPDX-License-Identifier: Apache-2.0
// What Gradescope's export tells is taken from its own file and no student's.
#include "tests/grader/intake_class.h"

namespace lockstep::grader {
namespace {

constexpr char kMetadata[] = R"(---
submission_11:
  :submitters:
  - :name: Ada Lovelace
    :sid: '1'
    :email: Ada@X.edu
  - :name: Grace Hopper
    :sid: '2'
    :email: grace@x.edu
  :created_at: 2026-11-20 18:59:00.123456000 -05:00
  :score: 12.0
  :results:
    output: "submission_12:\n  :submitters:\n  - :email: eve@x.edu\n"
submission_12:
  :submitters:
  - :name: Ada Lovelace
    :sid: '1'
    :email: ada@x.edu
  :created_at: 2026-11-21 10:00:00.000000000 Z
submission_13:
  :submitters: []
  :created_at: soon
)";

TEST_F(Taken, FromGradescopeEachOfAGroupHasTheLastSubmission) {
  for (const char* folder : {"assignment_1_export", "other"})
    for (const char* one : {"submission_11", "submission_12", "submission_13", "submission_14"})
      t.write(std::string(folder) + "/" + one + "/hw02.cu", "1");
  t.write("assignment_1_export/submission_metadata.yml", kMetadata);
  std::vector<ArchiveMember> members = {{"assignment_1_export/submission_metadata.yml", kMetadata}};
  for (const char* one : {"11", "12", "13", "14"})
    members.push_back({std::string("assignment_1_export/submission_") + one + "/hw02.cu", "1"});
  make_archive(t.path("export.zip"), members, true);
  for (const char* from : {"assignment_1_export", "export.zip"}) {
    const Intake intake = take("gradescope", from);
    std::vector<std::string> identities;
    for (const SubmissionEntry& entry : intake.entries) identities.push_back(entry.identity);
    std::sort(identities.begin(), identities.end());
    EXPECT_EQ(identities,
              (std::vector<std::string>{"gradescope//ada@x.edu", "gradescope//grace@x.edu",
                                        "submission_13", "submission_14"}))
        << from;
    EXPECT_EQ(intake.submitted.at("gradescope//ada@x.edu").at, "2026-11-21T10:00:00Z") << from;
    EXPECT_EQ(intake.submitted.at("gradescope//grace@x.edu").at, "2026-11-20T23:59:00Z") << from;
    EXPECT_EQ(intake.submitted.at("gradescope//grace@x.edu").told_by, "gradescope") << from;
    EXPECT_EQ(intake.submitted.at("submission_13").at, "") << from;
    EXPECT_TRUE(is_noted(intake, "submission_11 is not graded: submission_12")) << from;
  }
  EXPECT_THROW(take("gradescope", "other"), Error);
}

// Gradescope asks nobody whether he is of the group that somebody names.
TEST_F(Taken, FromGradescopeNobodyTakesAnothersPlaceByNamingHim) {
  const auto of = [](const char* submission, const std::vector<const char*>& people, int hour) {
    std::string text = std::string(submission) + ":\n  :submitters:\n";
    for (const char* one : people)
      text += std::string("  - :name: ") + one + "\n    :email: " + one + "@x.edu\n";
    return text + "  :created_at: 2026-11-20 " + std::to_string(hour) + ":00:00.000000000 Z\n";
  };
  for (const char* one : {"submission_1", "submission_2", "submission_3", "submission_4"})
    t.write(std::string("e/") + one + "/hw02.cu", "1");
  t.write("e/submission_metadata.yml",
          "---\n" + of("submission_1", {"bob"}, 10) + of("submission_2", {"eve", "bob"}, 11) +
              of("submission_3", {"eve"}, 12) + of("submission_4", {"ada", "kay"}, 12));
  const Intake intake = take("gradescope", "e");
  std::vector<std::string> identities;
  for (const SubmissionEntry& entry : intake.entries) identities.push_back(entry.identity);
  std::sort(identities.begin(), identities.end());
  EXPECT_EQ(identities,
            (std::vector<std::string>{"gradescope//ada@x.edu", "gradescope//eve@x.edu",
                                      "gradescope//kay@x.edu", "submission_1", "submission_2"}));
  EXPECT_TRUE(is_noted(intake, "submission_1 names bob@x.edu"));
}

TEST_F(Taken, FromGradescopeNoOutputAndNoDepthIsBelieved) {
  t.write("e/submission_1/hw02.cu", "1");
  // Not deeper: libyaml takes time by the square of the depth, though no stack.
  const std::string deep(3000, '[');
  for (const std::string& text : {std::string("- a list"), std::string("a: b: c"), deep,
                                  std::string("\xff\xfe\xff"), std::string("*nobody")}) {
    t.write("e/submission_metadata.yml", text);
    EXPECT_THROW(take("gradescope", "e"), Error) << text.substr(0, 20);
  }
  // Aliases of aliases are nodes, not copies.
  std::string bomb = "a0: &a0 x\n";
  for (int i = 1; i < 40; ++i)
    bomb += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [*a" + std::to_string(i - 1) +
            ", *a" + std::to_string(i - 1) + "]\n";
  t.write("e/submission_metadata.yml", bomb + "submission_1: {':submitters': *a39}\n");
  EXPECT_TRUE(owners(take("gradescope", "e")).contains("submission_1"));
}

constexpr char kOthersMetadata[] =
    "submission_11:\n  :submitters:\n  - :email: eve@x.edu\n"
    "submission_12:\n  :submitters:\n  - :email: bob@x.edu\n";
constexpr char kOwnMetadata[] =
    "submission_11:\n  :submitters:\n  - :email: bob@x.edu\n"
    "submission_12:\n  :submitters:\n  - :email: eve@x.edu\n";

// Names below a submission's folder are the student's.
TEST_F(Taken, FromGradescopeAStudentsFileIsNeverThePlatforms) {
  const Owners right = {{"gradescope//bob@x.edu", "submission_11"},
                        {"gradescope//eve@x.edu", "submission_12"}};
  const std::string many = "[" + std::string(200000, ',') + "]";
  for (const std::string& own : {std::string(kOthersMetadata), std::string("{"), many})
    for (const char* place : {"", "/deep", "/../submission_12", "/SUBMISSION_12"})
      for (const std::string top : {"", "export/"})
        for (const bool first : {true, false}) {
          const std::string name = "submission_metadata.yml";
          std::vector<ArchiveMember> members = {{top + "submission_11/hw02.cu", "1"},
                                                {top + "submission_12/hw02.cu", "2"},
                                                {top + "submission_12" + place + "/" + name, own}};
          const ArchiveMember platforms = {top + name, kOwnMetadata};
          members.insert(first ? members.begin() : members.end(), platforms);
          make_archive(t.path("e.zip"), members, true);
          EXPECT_EQ(owners(take("gradescope", "e.zip")), right) << top << place << own.substr(0, 9);
        }
  t.write("f/submission_11/hw02.cu", "1");
  t.write("f/submission_12/hw02.cu", "1");
  t.write("f/submission_12/submission_metadata.yml", kOthersMetadata);
  EXPECT_THROW(take("gradescope", "f"), Error) << "it is a student's alone";
  t.write("f/submission_metadata.yml", kOwnMetadata);
  EXPECT_EQ(owners(take("gradescope", "f")), right);
}

TEST_F(Taken, FromGradescopeOneFileAtItsPlaceIsThePlatforms) {
  const std::string name = "submission_metadata.yml";
  const auto refusal = [&](const std::vector<ArchiveMember>& more) -> std::string {
    std::vector<ArchiveMember> members = {{"export/submission_11/hw02.cu", "1"},
                                          {"export/submission_12/hw02.cu", "2"}};
    members.insert(members.end(), more.begin(), more.end());
    make_archive(t.path("export.zip"), members, true);
    try {
      take("gradescope", "export.zip");
      return "";
    } catch (const Error& e) {
      EXPECT_EQ(std::string(e.what()).find("download"), std::string::npos) << e.what();
      return e.what();
    }
  };
  EXPECT_EQ(refusal({{"export/" + name, kOwnMetadata}}), "");
  for (const std::string& other : {name, std::string("Submission_Metadata.yml"), name + "."})
    EXPECT_NE(refusal({{"export/" + name, kOwnMetadata}, {"export/" + other, kOthersMetadata}})
                  .find("there are several"),
              std::string::npos)
        << other;
  EXPECT_NE(refusal({{"export/submission_12/" + name, kOthersMetadata}}).find("is not there"),
            std::string::npos);
  EXPECT_NE(refusal({{"export/" + name, "", AE_IFLNK, "submission_12/" + name}}), "");
  EXPECT_NE(refusal({{"export/" + name, "submission_11: {}\nsubmission_11: {}\n"}})
                .find("submission_11 stands in it twice"),
            std::string::npos);
}

// Ruby writes what stands twice as an alias; what is not needed takes no memory.
TEST_F(Taken, FromGradescopeAliasesAreFollowedAndOutputsAreNotKept) {
  t.write("e/submission_1/hw02.cu", "1");
  t.write("e/submission_2/hw02.cu", "1");
  std::string items;
  for (int i = 0; i < 500000; ++i) items += "{a: 1},";
  t.write("e/submission_metadata.yml",
          "submission_1:\n  :results: [" + items +
              "]\n  :submitters: &1\n  - &2\n    :name: Ada\n    :email: &3 ada@x.edu\n"
              "  :created_at: &4 2026-11-21 10:00:00.000000000 Z\n"
              "submission_2:\n  :submitters:\n  - *2\n  - :sid: *3\n    :email: bob@x.edu\n"
              "  :created_at: *4\nsubmission_3:\n  :submitters: *1\n");
  const Intake intake = take("gradescope", "e");
  EXPECT_TRUE(is_noted(intake, "of the same student counts"));
  EXPECT_EQ(owners(intake).at("gradescope//bob@x.edu"), "submission_2");
  EXPECT_TRUE(owners(intake).contains("gradescope//ada@x.edu"));
  EXPECT_EQ(intake.submitted.at("gradescope//bob@x.edu").at, "2026-11-21T10:00:00Z");
}

}  // namespace
}  // namespace lockstep::grader
