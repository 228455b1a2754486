// SPDX-License-Identifier: Apache-2.0
// The command line: what it accepts, and what it says of what it does not.
#include "common/harness/command_line.h"

#include <gtest/gtest.h>

#include "common/base/error.h"

namespace lockstep {
namespace {

using Words = std::vector<std::string>;

std::string error_of(const Words& arguments) {
  try {
    parse_command_line(arguments);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), kExitUsage);
    EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << "more than one line";
    return error.what();
  }
  return "";
}

TEST(CommandLine, HasDefaultsForEverything) {
  const Options o = parse_command_line({});
  EXPECT_EQ(o.blocks, 0);
  EXPECT_EQ(o.warps, 0);
  EXPECT_EQ(o.size, 0);
  EXPECT_EQ(o.seed, 1u);
  EXPECT_TRUE(o.counters && o.times && !o.json && !o.lines && !o.vectors);
  EXPECT_EQ(o.backend, "auto");
}

TEST(CommandLine, TakesPositionalNumbersNegativeOnesToo) {
  EXPECT_EQ(parse_command_line({"-5"}).blocks, -5);
  const Options o = parse_command_line({"-3", "4", "-0.5"});
  EXPECT_EQ(o.blocks, -3);
  EXPECT_EQ(o.warps, 4);
  EXPECT_EQ(o.size, -0.5);
  EXPECT_EQ(parse_command_line({"0", "0", "-.5"}).size, -0.5);
  EXPECT_EQ(parse_command_line({"0", "0", "3.6"}).size, 3.6);
  EXPECT_EQ(parse_command_line({"--", "-7"}).blocks, -7);
}

TEST(CommandLine, TakesNumbersBetweenOptions) {
  const Options o = parse_command_line({"--json", "-2", "--seed", "18446744073709551615", "8"});
  EXPECT_TRUE(o.json);
  EXPECT_EQ(o.blocks, -2);
  EXPECT_EQ(o.warps, 8);
  EXPECT_EQ(o.seed, 18446744073709551615u);
}

TEST(CommandLine, TakesEveryNamedOption) {
  const Options o = parse_command_line({"--device=2",
                                        "--repetitions",
                                        "7",
                                        "--kernel",
                                        "norm_group<8, 8>",
                                        "--kernel",
                                        "u*",
                                        "--module",
                                        "x.ptx",
                                        "--no-counters",
                                        "--no-times",
                                        "--backend",
                                        "emulator",
                                        "--profile",
                                        "a100",
                                        "--threads",
                                        "2",
                                        "--lane-order",
                                        "9",
                                        "--step-budget",
                                        "1000",
                                        "--total-step-budget",
                                        "9000000000",
                                        "--vectors",
                                        "77",
                                        "--time-limit",
                                        "2.5",
                                        "--runner",
                                        "bwrap '--x y' runner"});
  EXPECT_EQ(o.device, 2);
  EXPECT_EQ(o.repetitions, 7);
  EXPECT_EQ(o.kernels, (Words{"norm_group<8, 8>", "u*"}));
  EXPECT_EQ(o.module, "x.ptx");
  EXPECT_FALSE(o.counters);
  EXPECT_FALSE(o.times);
  EXPECT_EQ(o.backend, "emulator");
  EXPECT_EQ(o.profile, "a100");
  EXPECT_EQ(o.threads, 2);
  EXPECT_EQ(o.lane_order, 9u);
  EXPECT_EQ(o.step_budget, 1000u);
  EXPECT_EQ(o.total_step_budget, 9000000000u);
  EXPECT_EQ(o.vectors, 77);
  EXPECT_EQ(o.time_limit_s, 2.5);
  EXPECT_EQ(o.runner, (Words{"bwrap", "--x y", "runner"}));
}

TEST(CommandLine, SaysWhichArgumentIsWrong) {
  const std::vector<std::pair<Words, std::string>> wrong = {
      {{"abc"}, "NBLOCKS"},
      {{"3x"}, "'3x'"},
      {{""}, "NBLOCKS"},
      {{"-"}, "NBLOCKS"},
      {{"1.5"}, "NBLOCKS"},
      {{"0x10"}, "NBLOCKS"},
      {{"99999999999999999999"}, "NBLOCKS"},
      {{"2147483648"}, "2147483647"},
      {{"0", "-1"}, "WARPS"},
      {{"0", "33"}, "from 0 to 32"},
      {{"0", "4.0"}, "WARPS"},
      {{"0", "0", "nan"}, "SIZE"},
      {{"0", "0", "inf"}, "SIZE"},
      {{"0", "0", "1e999"}, "SIZE"},
      {{"0", "0", "3MiB"}, "SIZE"},
      {{"1", "2", "3", "4"}, "'4'"},
      {{"--seed", "-1"}, "--seed"},
      {{"--seed=18446744073709551616"}, "--seed"},
      {{"--seed", "1", "--seed", "2"}, "seed"},
      {{"--repetitions", "0"}, "--repetitions"},
      {{"--vectors", "0"}, "--vectors"},
      {{"--total-step-budget", "0"}, "--total-step-budget"},
      {{"--vectors", "4", "0", "0", "3"}, "not both"},
      {{"--backend", "tpu"}, "tpu"},
      {{"--kernel"}, "--kernel"},
      {{"--kernel", ""}, "--kernel"},
      {{"--module", ""}, "--module"},
      {{"--runner", "a 'b"}, "not closed"},
      {{"--runner", " "}, "--runner"},
      {{"--kern", "x"}, "--kern"},
      {{"--bogus"}, "--bogus"},
      {{"-x"}, "-x"},
      {{"--json=3"}, "--json"},
      {{"--time-limit", "0"}, "--time-limit"},
      {{"--lines", "--no-counters"}, "--lines"},
  };
  for (const auto& [arguments, part] : wrong) {
    const std::string message = error_of(arguments);
    EXPECT_NE(message.find(part), std::string::npos)
        << ::testing::PrintToString(arguments) << " gave: " << message;
  }
}

TEST(CommandLine, KeepsControlCharactersOutOfItsMessages) {
  for (const Words& arguments : {Words{"\x1b[31m"}, Words{"--b\x1b"}, Words{"0", "\n"}})
    for (const char c : error_of(arguments)) EXPECT_GE(c, ' ');
}

TEST(CommandLine, TracesALineOfAThread) {
  EXPECT_FALSE(parse_command_line({}).trace);
  const Options o = parse_command_line({"--trace", "98", "--thread", "3,1", "--block", "7,0,2"});
  ASSERT_TRUE(o.trace);
  EXPECT_EQ(o.trace->line, 98);
  EXPECT_EQ(o.trace->thread[0], 3u);
  EXPECT_EQ(o.trace->thread[1], 1u);
  EXPECT_EQ(o.trace->thread[2], 0u);
  EXPECT_EQ(o.trace->block[2], 2u);
  for (const Words& bad :
       {Words{"--trace", "0"}, Words{"--trace", "x"}, Words{"--thread", "3"}, Words{"--block", "3"},
        Words{"--trace", "9", "--thread", "1,2,3,4"}, Words{"--trace", "9", "--thread", "1,"},
        Words{"--trace", "9", "--block", "-1"}, Words{"--trace", "9", "--json"},
        Words{"--trace", "9", "--runner", "x"}, Words{"--trace", "9", "--plan", "x"}})
    EXPECT_THROW(parse_command_line(bad), Error) << bad.back();
}

TEST(CommandLine, HelpNamesEveryArgument) {
  const std::string help = usage("./hw02");
  for (const char* word : {"NBLOCKS",
                           "WARPS",
                           "SIZE",
                           "--device ",
                           "--seed",
                           "--repetitions",
                           "--kernel",
                           "--module",
                           "--json",
                           "--no-counters",
                           "--no-times",
                           "--backend",
                           "--profile",
                           "--threads",
                           "--lane-order",
                           "--step-budget",
                           "--total-step-budget",
                           "--lines",
                           "--vectors",
                           "--runner",
                           "--trace",
                           "--thread",
                           "--block",
                           "--help"})
    EXPECT_NE(help.find(word), std::string::npos) << word;
}

TEST(KernelPattern, IsAPartOfTheNameAndMayHaveWildcards) {
  EXPECT_TRUE(matches_kernel("norm_group", "norm_group_u<8,8,4>"));
  EXPECT_TRUE(matches_kernel("norm_group<8, 8>", "norm_group<8,8>"));
  EXPECT_FALSE(matches_kernel("norm_group<8", "norm_group_u<8,8,4>"));
  EXPECT_TRUE(matches_kernel("*", "norm_group<8,8>"));
  EXPECT_TRUE(matches_kernel("norm_group_u<8,*>", "norm_group_u<8,8,4>"));
  EXPECT_FALSE(matches_kernel("norm_group_u<8,*", "norm_group_u<32,32,4>"));
  EXPECT_TRUE(matches_kernel("norm_?roup<8,8>", "norm_group<8,8>"));
  EXPECT_TRUE(matches_kernel("u<8,?,4", "norm_group_u<8,8,4>"));
  EXPECT_FALSE(matches_kernel("u<?,4", "norm_group_u<8,8,4>"));
}

TEST(KernelPattern, ManyStarsTakeNoLongTime) {
  std::string stars;
  for (int i = 0; i < 200; i++) stars += "*a";
  EXPECT_FALSE(matches_kernel(stars + "b", std::string(2000, 'a')));
}

TEST(SplitCommand, FollowsTheShell) {
  EXPECT_EQ(split_command("a  b\tc"), (Words{"a", "b", "c"}));
  EXPECT_EQ(split_command("'a b' \"c d\" e\\ f ''"), (Words{"a b", "c d", "e f", ""}));
  EXPECT_EQ(split_command(""), Words{});
}

}  // namespace
}  // namespace lockstep
