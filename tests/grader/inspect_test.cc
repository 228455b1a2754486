// SPDX-License-Identifier: Apache-2.0
// What is read of the tools' answers: the preprocessor's list, and the survey of PTX.
#include "grader/inspect.h"

#include <gtest/gtest.h>

#include "common/base/error.h"

namespace lockstep::grader {
namespace {

TEST(Dependencies, AreReadWithTheirEscapes) {
  EXPECT_EQ(parse_dependencies("a.o b.o: /x/a.h \\\n sp\\ ace.h $$x \\#y\\\n z.h\n"),
            (std::vector<std::string>{"/x/a.h", "sp ace.h", "$x", "#y", "z.h"}));
  EXPECT_TRUE(parse_dependencies("").empty());
}

bool is_student(const std::string& name) { return name == "./h/s.cu"; }
bool is_known(const std::string& name) { return is_student(name) || name == "/usr/include/x.h"; }

std::vector<Breach> inspect(const std::string& json, const Policy& policy) {
  return inspect_survey(parse_survey(json), policy, is_student, is_known);
}

TEST(SurveyOfPtx, NamesTheLineOfTheSubmissionThatUsesIt) {
  const auto found = inspect(
      R"({"whole":true,"bytes":0,"files":["./h/s.cu"],"uses":[{"name":"cp","at":[["/usr/include/x.h",4],)"
      R"(["./h/s.cu",42]]},{"name":"tex","at":[]}]})",
      Policy{});
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].line, 42);
  EXPECT_NE(found[0].what.find("cp"), std::string::npos);
  EXPECT_EQ(found[1].line, 0);
}

TEST(SurveyOfPtx, BoundsVariablesAndKnowsItsFiles) {
  Policy policy;
  policy.global_bytes = 100;
  EXPECT_TRUE(inspect(R"({"whole":true,"bytes":100,"files":[],"uses":[]})", policy).empty());
  EXPECT_EQ(inspect(R"({"whole":true,"bytes":101,"files":[],"uses":[]})", policy).size(), 1u);
  EXPECT_EQ(inspect(R"({"whole":true,"bytes":0,"files":["a"],"uses":[]})", policy).size(), 1u);
  EXPECT_EQ(inspect(R"({"error":"PTX:7: what"})", policy).size(), 1u);
}

TEST(SurveyOfPtx, IsNotBelievedWhereItIsNone) {
  for (const char* bad :
       {"", "{", "[]", "7", "{}", R"({"bytes":1,"files":[],"uses":[]})",
        R"({"whole":true,"bytes":"1","files":[],"uses":[]})",
        R"({"whole":true,"bytes":1,"files":[1],"uses":[]})",
        R"({"whole":true,"bytes":1,"files":[],"uses":[{"name":"x"}]})",
        R"({"whole":true,"bytes":1,"files":[],"uses":[{"name":"x","at":[["f"]]}]})"})
    EXPECT_THROW(parse_survey(bad), Error) << bad;
}

}  // namespace
}  // namespace lockstep::grader
