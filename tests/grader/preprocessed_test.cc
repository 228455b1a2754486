// SPDX-License-Identifier: Apache-2.0
// What is read of the preprocessor's output, and where a text is changed for the compilers to be
// asked about it. What they make of it is in build_test.cc.
#include "grader/preprocessed.h"

#include <gtest/gtest.h>

#include "common/base/error.h"
#include "grader/line_places.h"

namespace lockstep::grader {
namespace {

TEST(LinePlaces, AreFoundInEverySpelling) {
  for (const char* text : {"#line 5", "# 7 \"x.h\"", "  #\tline 3", "%:line 3", "?\?=line 3",
                           "#/* c */line 3", "/* c */ # line 3", "#li\\\nne 3", "#\\\n\\\nline 3",
                           "\f#line 3", "#\v\fline 3", "#/* a *\\\n/ /**/ li\\  \nne 3",
                           "%\\\n:line 3", "\xef\xbb\xbf#line 3", "int a;\r#line 3", "#/*\n*/7"})
    EXPECT_EQ(find_line_places(std::string(text) + "\n").size(), 1u) << text;
  EXPECT_EQ(find_line_places(std::string("#\0line 3", 8)).size(), 1u);
  // In a raw string lines are not joined.
  EXPECT_EQ(find_line_places("R\"(a\\\n# 3 \"x\" 1\n)\"").size(), 1u);
}

TEST(LinePlaces, AreNoneInCommonText) {
  for (const char* text : {"#include <x>", "#define S(line) #line", "#pragma unroll 4", "#if 0",
                           "puts(\"#line 3\");", "int line = 3;", "a % 7", "#"})
    EXPECT_TRUE(find_line_places(text).empty()) << text;
}

TEST(LinePlaces, GetAWordInFrontOfThem) {
  const std::string text = "a\n/*\n*/ #li\\\nne 3\n\\\n%:/**/ 7";
  EXPECT_EQ(put_before(text, find_line_places(text), "W"), "a\n/*\n*/ W#li\\\nne 3\n\\\nW%:/**/ 7");
  EXPECT_EQ(put_before("", {}, "W"), "");
}

TEST(LinePlaces, TakeTimeThatGrowsWithTheTextAlone) {
  for (const char* part :
       {"\n#/*", "\n#/**/", "\n#/*#*/", "\\\n", "# \\\n", "%\\ ", "#/*#*//*#*/"}) {
    std::string text;
    while (text.size() < (1 << 20)) text += part;
    find_line_places(text);
  }
}

bool is_student(const std::string& name) { return name == "./h/s.cu"; }
bool is_known(const std::string& name) { return is_student(name) || name == "/usr/include/x.h"; }
constexpr char kHead[] = "# 1 \"h/i.cu\"\nint before;\n# 1 \"./h/s.cu\" 1\n";

// The student's part with its directives spoilt; empty: there is none.
std::string spoilt(const std::string& text) {
  const std::string whole = Preprocessed(kHead + text, is_student, is_known).spoil_directives();
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
  EXPECT_EQ(spoilt("R\"#x(a@\n## b#\n)#x\" R\"%:(%:)%:\"\n # define a %d%\\\n:"),
            "R\"#x(a@\n@# b#\n)#x\" R\"%:(%:)%:\"\n @ define a %d%@\n:");
  EXPECT_EQ(spoilt("R\"#(\n%: a\n)#\" \"#\""), "R\"#(\n@: a\n)#\" \"#\"");
  // A delimiter that could be the end of a comment and a directive is one no more, at either end.
  EXPECT_EQ(spoilt("R\"*/#(a)*/#\""), "R\"*/@(a)*/@\"");
  EXPECT_EQ(spoilt("# 3 \"./h/s.cu\"\n#pragma unroll\n#"), "# 3 \"./h/s.cu\"\n#pragma unroll\n@");
}

std::optional<int> difference(const std::string& text, const std::string& trial) {
  return Preprocessed(kHead + text, is_student, is_known).first_difference(kHead + trial, "W");
}

TEST(Preprocessed, ATrialIsTheTrueTextButForItsWordAndBlanks) {
  for (const auto& [text, trial] : std::vector<std::pair<std::string, std::string>>{
           {"(\n#line 7\n# 9 \"y\"\n)\n", "(\nW#line 7\nW# 9 \"y\"\n)\n"},
           {"a \"7\" b\n", " a  \"W7\" bW\n"},
           {"# 9 \"./h/s.cu\"\na", "# 9 \"./h/s.cu\"\na"}})
    EXPECT_FALSE(difference(text, trial)) << trial;
}

TEST(Preprocessed, TheFirstLineInWhichATrialIsAnotherTextIsTold) {
  for (const auto& [text, trial, line] : std::vector<std::tuple<std::string, std::string, int>>{
           {"a\nb\n", "a\nc\n", 2},
           {"a\n", "a\n\n", 3},
           {"a\n\n", "a\n", 2},
           {"# 9 \"./h/s.cu\"\na\n", "\n\n\n #line 9\na\n", 4},
           {"# 9 \"./h/s.cu\"\na\n", "# 8 \"./h/s.cu\"\na\n", 8},
           {"# 9 \"./h/s.cu\"\na\n", "\na\n", 2},
           {"# 9 \"./h/s.cu\"\na\n", "W# 9 \"./h/s.cu\"\na\n", 1},
           {"a\n# 9 \"y\"\nb\n", "a\nW # 9 \"y\"\nb\n", 2},
           {"a\n\n", "a\n # 9 \"y\"\n", 2},
           {"# 1 \"/usr/include/x.h\" 1\na\n", "# 1 \"/usr/include/x.h\" 1\nb\n", 0}}) {
    const auto found = difference(text, trial);
    ASSERT_TRUE(found) << trial;
    EXPECT_EQ(*found, line) << trial;
  }
}

TEST(Preprocessed, NeedsAPlaceWhereTheSubmissionBegins) {
  EXPECT_THROW(Preprocessed("int a;\n# 1 \"x\" 1\n", is_student, is_known), Error);
}

TEST(Preprocessed, SaysWhenAFileOfOursIsEnteredAgain) {
  EXPECT_FALSE(
      Preprocessed(std::string(kHead) + "# 1 \"/usr/include/x.h\" 1\n", is_student, is_known)
          .enters_again(is_student));
  EXPECT_TRUE(Preprocessed(std::string(kHead) + "# 1 \"./h/s.cu\" 1\n", is_student, is_known)
                  .enters_again(is_student));
}

TEST(Preprocessed, LinesThatOnlyTheSecondPreprocessorJoinsAreFound) {
  for (const char* end : {"", " ", "\t \f\v", "\r", " \r"})
    EXPECT_EQ(spoilt("a\\" + std::string(end) + "\nb\n"), "a@" + std::string(end) + "\nb\n") << end;
  EXPECT_EQ(spoilt("#pragma x \\\n# 3 \"./h/s.cu\"\n"), "@pragma x @\n# 3 \"./h/s.cu\"\n");
  EXPECT_EQ(spoilt("a\\\rb\n"), "a@\rb\n");
  EXPECT_EQ(spoilt("a\\"), "a@");
  for (const char* text : {"\"a\\\\\"\n", "a\\ b\n", "#pragma message(\"a\\n\")\n", "a?\?/\nb\n"})
    EXPECT_EQ(spoilt(text), "") << text;
}

TEST(Preprocessed, APragmaMayNotHoldWhatCanReachBeyondItsLine) {
  for (const char* text :
       {"#pragma x /*\n", "#pragma x R\"(\n", "#pragma x u8R\"(\n", "#ident \"x\" \\\n",
        "#pragma x \"a\"R\"(\n", "#pragma x \"\" /* \"\n", "#pragma x \"a /*\n",
        "#pragma x \"\\\" /* \"\n", "#pragma x '\"' /* \"\n", "#pragma x <\"> /* \"\n",
        "#pragma x \"a\r/* \"\n", "#pragma x \\\"/*\"\n"})
    EXPECT_EQ(spoilt(text).substr(0, 1), "@") << text;
  for (const char* text :
       {"#pragma message(\"BY VECTOR\")\n", "#pragma x \"/*\" \"R\" u8\"R\"\n", "#ident \"/* R\"\n",
        "#pragma message(\"it's \\\"R\\\" < 4\")\n", "#pragma unroll 4\n"})
    EXPECT_EQ(spoilt(text), "") << text;
}

TEST(Preprocessed, TakesTimeThatGrowsWithTheTextAlone) {
  for (const char* part :
       {"\\ ", "#pragma \"R\" \"", "# 1 \"/usr/include/x.h\" 1\n", "R\"#(\n#)#\" ", "/ # ", "%:"}) {
    std::string text = kHead;
    while (text.size() < (1 << 20)) text += part;
    const Preprocessed output(text, is_student, is_known);
    output.spoil_directives();
    output.included();
    EXPECT_FALSE(output.first_difference(text, "W"));
  }
}

TEST(Preprocessed, LinesAreToldWithTheirPlaces) {
  const auto is_known = [](const std::string& file) { return file != "/forged.h"; };
  const Preprocessed text(
      std::string(kHead) +
          "a\n\n# 7 \"/usr/include/x.h\" 1 3 4\nb\n# 1 \"/y.h\" 1 3\nc\n"
          "# 9 \"/usr/include/x.h\" 2 3 4\nd\n# 4 \"./h/s.cu\" 2\n# 2 \"/forged.h\" 1\n"
          "# 2 \"/z.h\" 1\n",
      is_student, is_known);
  const auto lines = text.lines([](const std::string& f) { return f == "/usr/include/x.h"; });
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(lines[0].file, "/usr/include/x.h");
  EXPECT_EQ(lines[0].number, 7);
  EXPECT_EQ(lines[0].kind, " 3 4");
  EXPECT_EQ(lines[1].file, "/y.h");
  EXPECT_EQ(text.text().substr(lines[2].at, 1), "d");
  EXPECT_EQ(lines[2].number, 9);
  EXPECT_EQ(text.included(), (std::vector<std::string>{"/usr/include/x.h", "/z.h"}));
}

}  // namespace
}  // namespace lockstep::grader
