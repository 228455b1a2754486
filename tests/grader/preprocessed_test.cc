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

// The student's part with words before its directives; empty: there is none.
std::string changed(const std::string& text) {
  const std::string whole =
      Preprocessed(kHead + text, is_student, is_known).without_directives("W").text;
  return whole.empty() ? whole : whole.substr(whole.find("# 1 \"./h/s.cu\" 1\n") + 17);
}

TEST(Preprocessed, DirectivesAreWhatACompilerCouldTakeForOne) {
  for (const char* text :
       {" # define a b", "#define a b", "#", "%:define a b", " %\\\n:define", "# 3 \"other.cu\"",
        " # 3 \"./h/s.cu\"", "# 3 \"./h/s.cu\" x", "x/* y */ #define a", "\r#define a",
        "\f # undef x", "#pragma x\n # undef y", "a\\\n# define"})
    EXPECT_NE(changed(text), "") << text;
  for (const char* text : {"# 3 \"./h/s.cu\"", "# 9 \"/usr/include/x.h\" 1 3 4", "#pragma unroll",
                           "s = \"# 3\";", "a\n % 3", "f('#')"})
    EXPECT_EQ(changed(text), "") << text;
}

TEST(Preprocessed, WordsLeaveEachLiteralsEndWhereItWas) {
  EXPECT_EQ(changed("R\"#x(a\\\n## b#\n)#x\" R\"%:(%:)%:\"\n # define a %d%\\\n:\n"),
            "R\"#x(a\\\n## b#\n)#x\" R\"%:(%:)%:\"\n W# define a %d%\\\n:\n");
  EXPECT_EQ(changed("R\"#(\n%: a\n)#\" \"#\"\n"), "R\"#(\nW%: a\n)#\" \"#\"\n");
  // A delimiter that could be the end of a comment and a directive is one no more, at either end.
  EXPECT_EQ(changed("R\"*/#(a)*/#\"\n"), "R\"*/W#(a)*/W#\"\n");
  EXPECT_EQ(changed("R\"*/#(a)*/\\\n#\"\n"), "R\"*/W#(a)*/\\\nW#\"\n");
  EXPECT_EQ(changed("R\"a#(a)a\\ \n#\"\n#"), "R\"a#(a)a\\ \n#\"\nW#\n");
  EXPECT_EQ(changed("\\\n \\\n#\n"), "\\\n \\\nW#\n");
  EXPECT_EQ(changed("# 3 \"./h/s.cu\"\n#pragma unroll\n#"),
            "W# 3 \"./h/s.cu\"\n#pragma unroll\nW#\n");
}

TEST(Preprocessed, TheFirstLineThatLooksLikeADirectiveIsTold) {
  EXPECT_EQ(
      Preprocessed(std::string(kHead) + "a\n# 8 \"./h/s.cu\"\n\n#x\n#y\n", is_student, is_known)
          .without_directives("W")
          .line,
      9);
}

TEST(Preprocessed, MoreThanCanBeAskedAboutIsCutOff) {
  const std::string many(16 << 20, '#'), word(40, 'W');
  std::string text = kHead;
  for (int i = 0; i < 4 << 20; ++i) text += "#\n";
  EXPECT_TRUE(Preprocessed(text, is_student, is_known).without_directives(word).too_long);
  EXPECT_FALSE(Preprocessed(kHead + many, is_student, is_known).without_directives(word).too_long);
}

// Where the second preprocessor's output for a text is not what it should be.
std::optional<int> read_otherwise(const std::string& text, const std::string& output) {
  return Preprocessed(kHead + text, is_student, is_known)
      .first_read_otherwise("\nint before;\nbegin_W\n# 1 \"./h/s.cu\" 1\n" + output, "W");
}

TEST(Preprocessed, TheSecondPreprocessorReadsTheSameButForBlanksPragmasAndWordsOfMarkers) {
  const std::string text =
      "s = R\"(\n# a \\ \n)\";\n#pragma x\n\n# 9 \"/usr/include/x.h\" 1\nb c\n";
  for (const char* output :
       {"s = R\"(\nW# a \\ \n)\";\n# 9 \"/usr/include/x.h\" 1\nb c\n",
        "s=R\"(\n W# a \\\n)\";\n\n#pragma y\n# 9 \"/usr/include/x.h\" 1\n\n b c"})
    EXPECT_FALSE(read_otherwise(text, output)) << output;
}

TEST(Preprocessed, TheFirstLineThatTheSecondPreprocessorReadsOtherwiseIsTold) {
  for (const auto& [text, output, line] : std::vector<std::tuple<std::string, std::string, int>>{
           {"a\n#b\nc\n", "a\n#b\nc\n", 2},
           {"a\n#b\nc\n", "a\nc\n", 2},
           {"a\n#b\nc\n", "a\nW#b\nd\n", 3},
           {"a\n#b\nc\n", "a\nW#b\n", 3},
           {"a\n#b\nc\n", "a\nW#b\nc\nd\n", 0},
           {"a\\\nb\n", "ab\n", 1},
           {"a\n# 7 \"./h/s.cu\"\nb\n", "a\nW# 7 \"./h/s.cu\"\nb\n", 2},
           {"a\n# 7 \"./h/s.cu\"\nb\n", "a\n# 7 \"./h/s.cu\"\nc\n", 7},
           {"#pragma x /*\nb\n", "#pragma x\nb\n", 1},
           {"# 1 \"/usr/include/x.h\" 1\na\n", "# 1 \"/usr/include/x.h\" 1\nb\n", 0}}) {
    const auto found = read_otherwise(text, output);
    ASSERT_TRUE(found) << output;
    EXPECT_EQ(*found, line) << output;
  }
  EXPECT_TRUE(Preprocessed(kHead, is_student, is_known).first_read_otherwise("a\n", "W"));
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
  for (const char* end : {"", " ", "\t \f\v", "\r", " \r", "\rb"})
    EXPECT_EQ(changed("a\\" + std::string(end) + "\nb\n"), "a\\" + std::string(end) + "\nb\n")
        << end;
  EXPECT_EQ(changed("#pragma x \\\n# 3 \"./h/s.cu\"\n"), "W#pragma x \\\nW# 3 \"./h/s.cu\"\n");
  EXPECT_EQ(changed("a\\\r#\n"), "a\\\rW#\n");
  for (const char* text : {"\"a\\\\\"\n", "a\\ b\n", "#pragma message(\"a\\n\")\n", "a?\?/\nb\n"})
    EXPECT_EQ(changed(text), "") << text;
}

TEST(Preprocessed, APragmaMayNotHoldWhatCanReachBeyondItsLine) {
  for (const char* text :
       {"#pragma x /*\n", "#pragma x R\"(\n", "#pragma x u8R\"(\n", "#ident \"x\" \\\n",
        "#pragma x \"a\"R\"(\n", "#pragma x \"\" /* \"\n", "#pragma x \"a /*\n",
        "#pragma x \"\\\\\" /* \"\n", "#pragma x \"/* \\\"\n", "#pragma x '\"' /* \"\n",
        "#pragma x <\"> /* \"\n", "#pragma x \"a\r/* \"\n", "#pragma x \\\"/*\"\n"})
    EXPECT_EQ(changed(text).substr(0, 2), "W#") << text;
  for (const char* text :
       {"#pragma message(\"BY VECTOR\")\n", "#pragma x \"/*\" \"R\" u8\"R\"\n", "#ident \"/* R\"\n",
        "#pragma message(\"it's \\\"R\\\" < 4\")\n", "#pragma unroll 4\n",
        "#pragma x \"\\\" /* \"\n", "#pragma message(\"all of \\\"v/*.cu\\\"\")\n"})
    EXPECT_EQ(changed(text), "") << text;
}

TEST(Preprocessed, TakesTimeThatGrowsWithTheTextAlone) {
  for (const char* part :
       {"\\ ", "#pragma \"R\" \"", "# 1 \"/usr/include/x.h\" 1\n", "R\"#(\n#)#\" ", "/ # ", "%:"}) {
    std::string text = kHead;
    while (text.size() < (1 << 20)) text += part;
    const Preprocessed output(text, is_student, is_known);
    output.without_directives("W");
    output.first_read_otherwise("\nbegin_W\n" + text.substr(text.find("# 1 \"./h")), "W");
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
  EXPECT_NE(lines[0].stretch, lines[1].stretch);
  EXPECT_NE(lines[0].stretch, lines[2].stretch);
  EXPECT_EQ(text.included(), (std::vector<std::string>{"/usr/include/x.h", "/z.h"}));
}

}  // namespace
}  // namespace lockstep::grader
