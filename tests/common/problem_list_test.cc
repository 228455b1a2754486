// SPDX-License-Identifier: Apache-2.0
// One mistake is one message, whatever many kernels have it.
#include "common/harness/problem_list.h"

#include <gtest/gtest.h>

#include <sstream>

#include "common/base/text.h"

namespace lockstep {
namespace {

Row wrong_row(const std::string& kernel, int line, const std::string& words = "7 are wrong") {
  Row row;
  row.c.kernel = row.record.kernel = kernel;
  row.record.check.status = "wrong";
  row.record.check.fault_line = line;
  row.record.check.message = kernel + " with 3 blocks: " + words;
  row.record.check.repeat = "./hw99 --kernel " + kernel;
  row.small = true;
  return row;
}

Row fault_row(const std::string& kernel, const std::string& kind) {
  Row row = wrong_row(kernel, 12, kind);
  row.record.check.status = "fault";
  row.record.check.fault_kind = kind;
  return row;
}

Row skipped_row(const std::string& kernel, const std::string& why) {
  Row row;
  row.c.kernel = kernel;
  row.record.check.message = why;
  return row;
}

std::string told_of(const std::vector<Row>& rows) {
  ProblemList list(80);
  for (const Row& row : rows) list.keep(row);
  return list.tell_kept() + list.rest();
}

TEST(ProblemList, KernelsWithOneMistakeAreOneMessage) {
  EXPECT_EQ(told_of({wrong_row("f<8>", 5), wrong_row("f<16>", 5), wrong_row("g<8>", 5)}),
            "\nf<8> with 3 blocks: 7 are wrong\n  To repeat: ./hw99 --kernel f<8>\n"
            "  The same: f<16>, g<8>\n");
}

TEST(ProblemList, WhereNoLineIsKnownInstancesOfATemplateAreAlike) {
  EXPECT_EQ(told_of({wrong_row("f<8>", 0, "7 of 64 are wrong"),
                     wrong_row("f<16>", 0, "1,000 of 1,024 are wrong"),
                     wrong_row("g<8>", 0, "7 of 64 are wrong")}),
            "\nf<8> with 3 blocks: 7 of 64 are wrong\n  To repeat: ./hw99 --kernel f<8>\n"
            "  The same as f<8>: f<16>\n"
            "\ng<8> with 3 blocks: 7 of 64 are wrong\n  To repeat: ./hw99 --kernel g<8>\n");
}

TEST(ProblemList, LongListsSayHowManyAreLeftOut) {
  std::vector<Row> rows;
  for (int i = 0; i < 10; i++) rows.push_back(wrong_row("f<" + std::to_string(i) + ">", 5));
  EXPECT_NE(told_of(rows).find("The same: f<1>, f<2>, f<3>, f<4>, f<5>, f<6> and 3 more\n"),
            std::string::npos);
}

TEST(ProblemList, OfMoreThanThreeMistakesTheRestAreNamed) {
  std::vector<Row> rows;
  for (int i = 1; i <= 5; i++) rows.push_back(wrong_row("f" + std::to_string(i), i));
  rows.push_back(wrong_row("g", 4));
  const std::string text = told_of(rows);
  EXPECT_NE(text.find("\nf3 with 3 blocks"), std::string::npos);
  EXPECT_EQ(text.find("f4 with"), std::string::npos);
  EXPECT_TRUE(text.ends_with("\nWrong in other ways, which --kernel shows one by one: f4, g, f5\n"))
      << text;
}

TEST(ProblemList, LoopsWithoutAnEndComeFirst) {
  const std::string text = told_of({fault_row("f", "out_of_bounds"), fault_row("g", "too_slow")});
  EXPECT_LT(text.find("g with"), text.find("f with")) << text;
}

TEST(ProblemList, LaunchesThatFailAreToldOnceAndNamedAtTheEnd) {
  ProblemList list(80);
  EXPECT_NE(list.tell(fault_row("f<8>", "trap")), "");
  EXPECT_EQ(list.tell(fault_row("f<8>", "race")), "") << "the same kernel";
  EXPECT_EQ(list.tell(fault_row("f<16>", "trap")), "") << "the same fault";
  EXPECT_NE(list.tell(fault_row("f<32>", "race")), "");
  EXPECT_EQ(list.rest(), "\n  The same as f<8>: f<16>\n");
}

TEST(ProblemList, WhatIsNotRunIsNamedOnceForEachReason) {
  ProblemList list(80);
  list.tell(fault_row("f<8>", "trap"));
  for (const char* kernel : {"f<8>", "f<8>", "g", "h", "g"})
    list.not_run(skipped_row(kernel, "2 launches before it have hung"));
  EXPECT_EQ(list.rest(),
            "\nNot run (2 launches before it have hung): g, h\nWhat is wrong is not measured.\n");
}

TEST(ProblemList, LinesFitAndCommandsStayWhole) {
  Row row =
      wrong_row("norm_group<8,8>", 5, std::string(30, 'x') + " " + std::string(30, 'y') + " z");
  row.record.check.quoted = Quoted(std::string(60, 'q') + " 736 bytes past its end");
  row.record.check.repeat =
      "./hw99 3 5 --kernel 'norm_group<8,8>' --seed 1 --vectors 37 --module 'a folder/of mine'";
  ProblemList list(80);
  const std::string text = list.tell(row);
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(display_width(line), 80) << line;
  EXPECT_NE(text.find("    |   past its end\n"), std::string::npos) << text;
  EXPECT_NE(text.find(" \\\n      --module 'a folder/of mine'\n"), std::string::npos) << text;
}

}  // namespace
}  // namespace lockstep
