// SPDX-License-Identifier: Apache-2.0
// What is read of the tools' answers: the preprocessor's list and output, the survey of PTX; and
// where a text is changed for the compiler to be asked about it. What the compilers make of it is
// in build_test.cc.
#include "grader/inspect.h"

#include <gtest/gtest.h>

#include "common/error.h"
#include "grader/headers.h"

namespace lockstep::grader {
namespace {

std::vector<int> lines(const std::string& source) {
  std::vector<int> out;
  for (const LinePlace& place : find_line_places(source)) out.push_back(place.line);
  return out;
}

TEST(LinePlaces, AreFoundInEverySpelling) {
  for (const char* text : {"#line 5", "# 7 \"x.h\"", "  #\tline 3", "%:line 3", "?\?=line 3",
                           "#/* c */line 3", "/* c */ # line 3", "#li\\\nne 3", "#\\\n\\\nline 3",
                           "\f#line 3", "#\v\fline 3", "#/* a *\\\n/ /**/ li\\  \nne 3",
                           "%\\\n:line 3", "\xef\xbb\xbf#line 3", "int a;\r#line 3", "#/*\n*/7"})
    EXPECT_EQ(lines(std::string(text) + "\n").size(), 1u) << text;
  EXPECT_EQ(lines(std::string("#\0line 3", 8)).size(), 1u);
  EXPECT_EQ(lines("a\n/*\n*/ #line 3\n\\\n# 3"), (std::vector<int>{3, 5}));
}

TEST(LinePlaces, AreNoneInCommonText) {
  for (const char* text : {"#include <x>", "#define S(line) #line", "#pragma unroll 4", "#if 0",
                           "puts(\"#line 3\");", "int line = 3;", "a % 7", "#"})
    EXPECT_TRUE(find_line_places(text).empty()) << text;
}

TEST(LinePlaces, AreSpoiltInPlace) {
  const std::string text = "#li\\\nne 3\n# 7\n";
  EXPECT_EQ(spoil_line_places(text, find_line_places(text)), "#qz\\\nxj 3\n# q\n");
}

TEST(LinePlaces, TakeTimeThatGrowsWithTheTextAlone) {
  for (const char* part :
       {"\n#/*", "\n#/**/", "\n#/*#*/", "\\\n", "# \\\n", "%\\ ", "#/*#*//*#*/"}) {
    std::string text;
    while (text.size() < (1 << 20)) text += part;
    find_line_places(text);
  }
}

TEST(Dependencies, AreReadWithTheirEscapes) {
  EXPECT_EQ(parse_dependencies("a.o b.o: /x/a.h \\\n sp\\ ace.h $$x \\#y\\\n z.h\n"),
            (std::vector<std::string>{"/x/a.h", "sp ace.h", "$x", "#y", "z.h"}));
  EXPECT_TRUE(parse_dependencies("").empty());
}

bool is_student(const std::string& name) { return name == "./h/s.cu"; }
bool is_known(const std::string& name) { return is_student(name) || name == "/usr/include/x.h"; }
constexpr char kHead[] = "# 1 \"h/i.cu\"\nint before;\n# 1 \"./h/s.cu\" 1\n";

// The student's part with its directives spoilt; empty: there is none.
std::string spoilt(const std::string& text) {
  const std::string whole = Preprocessed(kHead + text, is_student).spoil_directives(is_known);
  return whole.empty() ? whole : whole.substr(sizeof kHead - 1);
}

TEST(Preprocessed, DirectivesAreWhatACompilerCouldTakeForOne) {
  for (const char* text :
       {" # define a b", "#define a b", "#", "%:define a b", " %\\\n:define", "# 3 \"other.cu\"",
        " # 3 \"./h/s.cu\"", "# 3 \"./h/s.cu\" x", "x/* y */ #define a", "\r#define a",
        "\f # undef x", "#pragma x\n # undef y", "a\\\n# define"})
    EXPECT_NE(spoilt(text), "") << text;
  for (const char* text : {"# 3 \"./h/s.cu\"", "# 9 \"/usr/include/x.h\" 1 3 4", "#pragma unroll",
                           "s = \"# 3\";", "a\n % 3", "f('#')"})
    EXPECT_EQ(spoilt(text), "") << text;
}

TEST(Preprocessed, SpoilingADirectiveLeavesEachLiteralsEndWhereItWas) {
  EXPECT_EQ(spoilt("R\"#x(a@)#x\" R\"%:(%)%:\"\n # define a %d%\\\n:"),
            "R\"@x(a#)@x\" R\"`:(%)`:\"\n @ define a %d`\\\n:");
  EXPECT_EQ(spoilt("# 3 \"./h/s.cu\"\n#pragma unroll\n#"), "# 3 \"./h/s.cu\"\n#pragma unroll\n@");
}

bool same_but_for_places(const std::string& text, const std::string& other) {
  return Preprocessed(kHead + text, is_student).is_but_for_line_places(kHead + other, is_known);
}

TEST(Preprocessed, ATrialIsTheTrueTextButForItsPlaces) {
  EXPECT_TRUE(same_but_for_places("(\n#line 7\n# 9 \"y\"\n)", "(\n#qzxj 7\n# q \"y\"\n)"));
  for (const auto& [text, other] : std::vector<std::pair<std::string, std::string>>{
           {"int a;\n", "int a;\n\n"},
           {"int a;\n", "int b;\n"},
           {"line", "qzxl"},
           {"qzxj", "line"},
           {"# 9 \"./h/s.cu\"\nint a;\n", "# 8 \"./h/s.cu\"\nint a;\n"},
           {"# 9 \"./h/s.cu\"\nint a;\n", "# q \"./h/s.cu\"\nint a;\n"}})
    EXPECT_FALSE(same_but_for_places(text, other)) << other;
}

TEST(Preprocessed, NeedsAPlaceWhereTheSubmissionBegins) {
  EXPECT_THROW(Preprocessed("int a;\n# 1 \"x\" 1\n", is_student), Error);
}

TEST(Preprocessed, SaysWhenAFileOfOursIsEnteredAgain) {
  EXPECT_FALSE(Preprocessed(std::string(kHead) + "# 1 \"/usr/include/x.h\" 1\n", is_student)
                   .enters_again(is_student));
  EXPECT_TRUE(Preprocessed(std::string(kHead) + "# 1 \"./h/s.cu\" 1\n", is_student)
                  .enters_again(is_student));
}

TEST(Preprocessed, TheWordsForAssemblyAreTakenAwayBeforeTheSubmission) {
  Preprocessed text(std::string(kHead) + "asm;\n", is_student);
  text.refuse_assembly();
  const size_t defined = text.text().find("#define __asm__ ");
  EXPECT_LT(text.text().find("int before;"), defined);
  EXPECT_LT(defined, text.text().find("# 1 \"./h/s.cu\" 1\nasm;"));
  EXPECT_EQ(text.spoil_directives(is_known), "");
}

std::vector<Breach> inspect(const std::string& json, const Policy& policy) {
  return inspect_survey(parse_survey(json), policy, is_student, is_known);
}

TEST(SurveyOfPtx, NamesTheLineOfTheSubmissionThatUsesIt) {
  const auto found = inspect(
      R"({"bytes":0,"files":["./h/s.cu"],"uses":[{"name":"cp","at":[["/usr/include/x.h",4],)"
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
  EXPECT_TRUE(inspect(R"({"bytes":100,"files":[],"uses":[]})", policy).empty());
  EXPECT_EQ(inspect(R"({"bytes":101,"files":[],"uses":[]})", policy).size(), 1u);
  EXPECT_EQ(inspect(R"({"bytes":0,"files":["a"],"uses":[]})", policy).size(), 1u);
  EXPECT_EQ(inspect(R"({"error":"PTX:7: what"})", policy).size(), 1u);
}

TEST(SurveyOfPtx, IsNotBelievedWhereItIsNone) {
  for (const char* bad :
       {"", "{", "[]", "7", "{}", R"({"bytes":"1","files":[],"uses":[]})",
        R"({"bytes":1,"files":[1],"uses":[]})", R"({"bytes":1,"files":[],"uses":[{"name":"x"}]})",
        R"({"bytes":1,"files":[],"uses":[{"name":"x","at":[["f"]]}]})"})
    EXPECT_THROW(parse_survey(bad), Error) << bad;
}

TEST(Headers, AreThosePermittedThatTheTextMentions) {
  EXPECT_EQ(headers_to_read_first(
                "#include <vector>\n#include \"cuda_fp16.h\"\n<cuda/std/array> <mma.h> <vector>"
                "<cuda/std/../x> < string > <passwd>",
                default_headers()),
            (std::vector<std::string>{"vector", "cuda_fp16.h", "cuda/std/array"}));
  EXPECT_EQ(headers_to_read_first("<mma.h>", {"mma.h"}), std::vector<std::string>{"mma.h"});
}

}  // namespace
}  // namespace lockstep::grader
