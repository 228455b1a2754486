// SPDX-License-Identifier: Apache-2.0
// Text from outside stays in its quote, and names are shown as what they are.
#include "common/base/quoted.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <sstream>

#include "common/base/text.h"

namespace lockstep {
namespace {

using Lines = std::vector<std::string>;

TEST(Quoted, EveryCharacterThatEndsALineEndsAQuotedLine) {
  const Quoted text("a\nb\rc\r\nd\ve\ff\xC2\x85g\xE2\x80\xA8h\xE2\x80\xA9i\n\n");
  EXPECT_EQ(text.lines(), (Lines{"a", "b", "c", "d", "e", "f", "g", "h", "i"}));
  EXPECT_EQ(Quoted("a\n\n b\n").marked(), "    | a\n    | \n    |  b\n");
  EXPECT_EQ(Quoted("").marked(), "");
  EXPECT_EQ(Quoted("\n \t\n").marked(), "");
}

TEST(Quoted, WhatIsUnfitByItsCategoryIsReplaced) {
  const std::vector<std::pair<const char*, const char*>> cases = {
      {"\x1b[31m", "?[31m"},        // control
      {"\xC2\x9B\x31m", "?1m"},     // control of eight bits
      {"\xE2\x80\xAEx", "?x"},      // format: right-to-left override
      {"\xE2\x81\xA6x", "?x"},      // format: isolate
      {"\xE2\x80\x8Bx", "?x"},      // zero width space
      {"\xEF\xBB\xBFx", "?x"},      // byte order mark
      {"\xF3\xA0\x81\x81x", "?x"},  // tag letter
      {"\xEE\x80\x80x", "?x"},      // private use
      {"\xEF\xBF\xBFx", "?x"},      // not a character
      {"\xED\xA0\x80x", "???x"},    // surrogate
      {"\xCD\xB8x", "?x"},          // unassigned
      {"\xE3\x85\xA4x", "?x"},      // a letter that nobody sees
      {"\xEF\xB8\x8Fx", "?x"},      // variation selector
      {"\xC2\xA0x", "?x"},          // a blank that is none
      {"\xD7\xA9x", "?x"},          // written from right to left
      {"\xD9\xA1x", "?x"},          // so are these figures
      {"\xCC\x81x", "?x"},          // a mark on nothing
      {"\xC3\xA9\xE4\xBD\xA0\xC2\xB5", "\xC3\xA9\xE4\xBD\xA0\xC2\xB5"},
      {"\xF0\x9F\x98\x80", "\xF0\x9F\x98\x80"},
  };
  for (const auto& [text, expected] : cases)
    EXPECT_EQ(Quoted(text).lines(), Lines{expected}) << ::testing::PrintToString(text);
  std::string flood = "a";
  for (int i = 0; i < 1000; i++) flood += "\xCC\x81";
  const std::string kept = "a\xCC\x81\xCC\x81\xCC\x81";
  EXPECT_EQ(Quoted(flood).lines(), Lines{kept + std::string(997, '?')});
}

TEST(Quoted, LinesAreBrokenBeforeATerminalBreaksThem) {
  const std::string text = std::string(74, 'a') + "  [pass] 100 / 100";
  EXPECT_EQ(Quoted(text).marked(80),
            "    | " + std::string(74, 'a') + "\n    |   [pass] 100 / 100\n");
  // A wide character takes two columns.
  std::string wide;
  for (int i = 0; i < 40; i++) wide += "\xE4\xBD\xA0";
  std::istringstream lines(Quoted(wide).marked(80));
  for (std::string line; std::getline(lines, line);) EXPECT_LE(display_width(line), 80);
  // So may one that Unicode gives none: a vowel sign (Mc), a mark, a letter that joins others.
  for (const char* c : {"\xE0\xA4\xBE", "e\xCC\x81", "\xE1\x85\xA1", "\xC2\xB1"}) {
    std::string many = "\xE0\xA4\x95";
    for (int i = 0; i < 120; i++) many += c;
    std::istringstream pieces(Quoted(many).marked(80));
    for (std::string line; std::getline(pieces, line);) {
      const auto leads = [](char byte) { return (byte & 0xC0) != 0x80; };
      const auto ascii = std::count_if(line.begin(), line.end(), [](char b) { return b > 0; });
      const auto all = std::count_if(line.begin(), line.end(), leads);
      EXPECT_LE(ascii + 2 * (all - ascii), 80) << line;
      EXPECT_FALSE(line.starts_with("    | \xCC")) << "a mark without its letter";
    }
  }
  EXPECT_EQ(Quoted("a\tb\t\tc").lines(), Lines{"a       b               c"});
}

TEST(Quoted, IsBoundedAndSaysHowMuchIsMissing) {
  std::string text;
  for (int i = 0; i < 1000; i++) text += std::to_string(i) + "\n";
  const Lines lines = Quoted(text).lines();
  ASSERT_EQ(lines.size(), 401u);
  EXPECT_EQ(lines[399], "399");
  EXPECT_EQ(lines[400], "... and 600 more lines");
}

// Whatever bytes: every line has the mark, and fits.
TEST(Quoted, HoldsForAnyBytes) {
  std::mt19937 random(1);
  for (int i = 0; i < 2000; i++) {
    std::string text(random() % 300, ' ');
    for (char& c : text)
      c = static_cast<char>(random() % 4 == 0 ? "\n\r\t\xE2\x80\xA8"[random() % 6] : random());
    const std::string marked = Quoted(text).marked(60);
    std::istringstream lines(marked);
    for (std::string line; std::getline(lines, line);) {
      EXPECT_TRUE(line.starts_with(kQuoteMark)) << line;
      EXPECT_LE(display_width(line), 60);
      EXPECT_EQ(printable(line), line);
    }
    EXPECT_TRUE(marked.empty() || marked.back() == '\n');
  }
}

TEST(ShownName, ShowsBytesAsWhatTheyAre) {
  EXPECT_EQ(shown_name("norm_group_u<8,8,4>"), "norm_group_u<8,8,4>");
  EXPECT_EQ(shown_name("bob\x01"), "bob\\x01");
  EXPECT_EQ(shown_name("bob?"), "bob?");
  EXPECT_EQ(shown_name("bob\\x01"), "bob\\\\x01");
  EXPECT_EQ(shown_name("a b\n\"c\""), "\"a b\\x0a\\\"c\\\"\"");
  EXPECT_EQ(shown_name(""), "\"\"");
  EXPECT_EQ(shown_name("\xC3\xA9"), "\xC3\xA9");
  EXPECT_EQ(shown_name("e\xCC\x81"), "e\\xcc\\x81") << "the same letter in two parts";
  EXPECT_EQ(shown_name("\xEF\xBC\xA1"), "\\xef\\xbc\\xa1") << "a wide A";
  EXPECT_EQ(shown_name("\xFF\xC3\xA9"), "\\xff\\xc3\\xa9");
  EXPECT_EQ(shown_name("\xD7\xA9"), "\\xd7\\xa9");
  EXPECT_EQ(shown_name(std::string(100, 'a'), 10), "aaaaaaaaaa...");
}

// A terminal may break a sentence anywhere; no word of ours follows.
TEST(ShownName, InASentenceIsOneWord) {
  EXPECT_EQ(shown_word("Ada Lovelace.cu"), "Ada\\x20Lovelace.cu");
  EXPECT_EQ(shown_word("  [pass] 100 / 100").find(' '), std::string::npos);
  // A sign beyond ASCII may look like a blank (U+2800), or like one of ours.
  EXPECT_EQ(shown_word("a\u2800\u2215b"), "a\\xe2\\xa0\\x80\\xe2\\x88\\x95b");
  EXPECT_EQ(shown_word("Jos\u00e9_\u5c0f\u0967"), "Jos\u00e9_\u5c0f\u0967");
  EXPECT_EQ(shown_word(""), "\"\"");
}

TEST(ShownName, DifferentBytesAreNeverShownAlike) {
  std::mt19937 random(7);
  const char* parts[] = {"a", "\\", "x",    "0",    "1",        "\x01", "\"",
                         " ", "?",  "\xC3", "\xA9", "\xCC\x81", "e"};
  std::set<std::string> names, shown;
  for (int i = 0; i < 20000; i++) {
    std::string name;
    for (size_t n = random() % 7; n > 0; n--) name += parts[random() % std::size(parts)];
    names.insert(name);
  }
  for (const std::string& name : names) {
    const std::string text = shown_name(name, 1000);
    EXPECT_TRUE(shown.insert(text).second) << text;
    EXPECT_EQ(printable(text), text);
  }
}

}  // namespace
}  // namespace lockstep
