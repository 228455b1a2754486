// SPDX-License-Identifier: Apache-2.0
// Code that no counted launch has come to, and the launches that come to it.
#include <gtest/gtest.h>

#include <algorithm>

#include "emulator/ptx/parser.h"
#include "emulator/ptx/width_questions.h"
#include "tests/emulator/ptx_runner.h"

namespace lockstep::emulator {
namespace {

// In large grids, and where n is 123456, something else is stored; where it is both, a loop without
// an end.
const char kBody[] =
    "mov.u32 r1, %nctaid.x;\nsetp.gt.u32 p1, r1, 200;\nsetp.eq.u32 p2, %n, 123456;\n"
    "mov.u32 r2, 1;\n@p1 bra LARGE;\n@p2 bra EXACT;\nbra END;\n"
    "LARGE:\n@p2 bra BOTH;\nmul.lo.u32 r2, %t, %t;\nst.volatile.global.u32 [%out], r2;\nbra END;\n"
    "EXACT:\nmul.lo.u32 r2, %t, 77;\nst.volatile.global.u32 [%out], r2;\nbra END;\n"
    "BOTH:\nld.volatile.global.u32 r2, [%in];\nsetp.ne.u32 p3, r2, 7;\n@p3 bra BOTH;\nEND:\n";

struct Arrays {
  explicit Arrays(Backend& b)
      : backend(b), in(b.allocate({"in", 4096})), out(b.allocate({"out", 4 << 20})) {
    b.fill(in, 0, 4096, 0);
    b.fill(out, 0, 4 << 20, 0);
  }
  Launch launch(uint32_t blocks, int n) const {
    return {"k",
            {blocks},
            {32},
            0,
            {Argument::of_buffer(out), Argument::of_buffer(in), Argument::of(n)}};
  }
  void count(uint32_t blocks, int n) const {
    backend.count_sequences({{launch(blocks, n)}}, {}, {{}});
  }
  Backend& backend;
  BufferId in, out;
};

TEST(Scouts, FindWhatNoCountedLaunchHasReached) {
  LOCKSTEP_NEEDS_PTXAS();
  PtxRunner runner(ptx_kernel(std::string(kBody) + store_result("r2")), {}, true);
  const Arrays arrays(runner.backend());
  arrays.count(3, 5);
  const Backend::Unreached before = runner.backend().unreached("k");
  EXPECT_GT(before.instructions, 6u);
  EXPECT_TRUE(std::find(before.numbers.begin(), before.numbers.end(), 123456) !=
              before.numbers.end());
  const std::vector<size_t> found = runner.backend().scout({{arrays.launch(4, 6)},
                                                            {arrays.launch(201, 6)},
                                                            {arrays.launch(1000, 7)},
                                                            {arrays.launch(9, 123456)},
                                                            {arrays.launch(300, 123456)}});
  EXPECT_EQ(found[0], 0u) << "as before";
  EXPECT_GT(found[1], 1u);
  EXPECT_EQ(found[2], 0u) << "the one before came to it first";
  EXPECT_GT(found[3], 1u);
  EXPECT_GT(found[4], 1u) << "and it ends";
  EXPECT_EQ(runner.backend().unreached("k").instructions, 0u);
}

TEST(Scouts, AreNotNeededWhereAllWasCounted) {
  LOCKSTEP_NEEDS_PTXAS();
  PtxRunner runner(ptx_kernel(store_result("%n")), {}, true);
  const Arrays arrays(runner.backend());
  EXPECT_GT(runner.backend().unreached("k").instructions, 0u);
  arrays.count(3, 5);
  EXPECT_EQ(runner.backend().unreached("k").instructions, 0u);
}

uint32_t first_result(Backend& backend, BufferId out) {
  uint32_t value = 0;
  backend.read(out, 0, &value, sizeof value);
  return value;
}

// Whatever it is that decides: here a number among the inputs.
constexpr char kHidden[] =
    "ld.global.u32 r1, [%in];\nsetp.eq.u32 p1, r1, 12345;\nsetp.gt.u32 p2, %n, 7;\n"
    "selp.u32 r2, 5, 6, p1;\n@p2 add.u32 r2, r2, 16;\nst.volatile.global.u32 [%out], r2;\n";

TEST(Opposed, IsWhatAlwaysHadTheSameAnswer) {
  LOCKSTEP_NEEDS_PTXAS();
  PtxRunner runner(ptx_kernel(std::string(kHidden) + store_result("r2")), {}, true);
  Backend& backend = runner.backend();
  const Arrays arrays(backend);
  EXPECT_TRUE(backend.unreached("k").one_sided.empty()) << "nothing was asked";
  arrays.count(3, 5);
  EXPECT_EQ(backend.unreached("k").one_sided.size(), 2u);
  arrays.count(3, 9);
  const auto hidden = backend.unreached("k").one_sided;
  ASSERT_EQ(hidden.size(), 1u) << "n was on either side of 7";
  EXPECT_EQ(first_result(backend, arrays.out), 22u);
  Launch launch = arrays.launch(3, 9);
  launch.opposed = {hidden[0].instruction};
  EXPECT_TRUE(backend.oppose({launch}).asked);
  const Counts counts = backend.count_sequences({{launch}}, {}, {{}})[0];
  EXPECT_EQ(first_result(backend, arrays.out), 21u);
  EXPECT_GT(counts.values.at("warp_instructions").value, 0);
  EXPECT_EQ(backend.unreached("k").one_sided.size(), 1u) << "that was no answer of its own";
  arrays.count(3, 5);
  EXPECT_EQ(first_result(backend, arrays.out), 6u) << "as it is written";
}

// What is behind it is told, to be opposed as well.
TEST(Opposed, TellsWhatIsAskedBehindIt) {
  LOCKSTEP_NEEDS_PTXAS();
  PtxRunner runner(
      ptx_kernel("ld.global.u32 r1, [%in];\nsetp.ne.u32 p1, r1, 12345;\n@p1 bra END;\n"
                 "ld.volatile.global.u32 r2, [%in+4];\nsetp.ne.u32 p2, r2, 54321;\n@p2 bra END;\n"
                 "st.volatile.global.u32 [%out+1024], %n;\nEND:\n" +
                 store_result("%n")),
      {}, true);
  Backend& backend = runner.backend();
  const Arrays arrays(backend);
  arrays.count(3, 5);
  const auto first = backend.unreached("k").one_sided;
  ASSERT_EQ(first.size(), 1u);
  Launch launch = arrays.launch(3, 5);
  launch.opposed = {first[0].instruction};
  const Backend::Opposed seen = backend.oppose({launch});
  EXPECT_TRUE(seen.asked);
  ASSERT_EQ(seen.more.size(), 1u);
  launch.opposed.push_back(seen.more[0].instruction);
  EXPECT_TRUE(backend.oppose({launch}).more.empty());
  backend.count_sequences({{launch}}, {}, {{}});
  uint32_t stored = 0;
  backend.read(arrays.out, 1024, &stored, sizeof stored);
  EXPECT_EQ(stored, 5u);
  launch.opposed = {seen.more[0].instruction};
  EXPECT_FALSE(backend.oppose({launch}).asked);
}

// Of launches that are tried, too; and what they answer for the first time is something new.
TEST(Opposed, IsNotWhatWasAnsweredOtherwiseInATry) {
  LOCKSTEP_NEEDS_PTXAS();
  PtxRunner runner(ptx_kernel(std::string(kHidden) + store_result("r2")), {}, true);
  Backend& backend = runner.backend();
  const Arrays arrays(backend);
  arrays.count(3, 5);
  EXPECT_EQ(backend.scout({{arrays.launch(3, 6)}, {arrays.launch(3, 9)}, {arrays.launch(3, 10)}}),
            (std::vector<size_t>{0, 2, 0}))
      << "the answer, and what is done then";
  EXPECT_EQ(backend.unreached("k").one_sided.size(), 1u);
}

std::string fault_kind_of(Backend& backend, const Launch& launch) {
  try {
    backend.count_sequences({{launch}}, {}, {{}});
  } catch (const KernelFault& fault) {
    return fault.kind();
  }
  return "none";
}

TEST(Opposed, EndsWhateverItComesTo) {
  LOCKSTEP_NEEDS_PTXAS();
  PtxRunner runner(
      ptx_kernel("ld.global.u32 r1, [%in];\nsetp.eq.u32 p1, r1, 12345;\n@!p1 bra END;\n"
                 "setp.gt.u32 p2, %n, 7;\n@p2 bra FAR;\nLOOP:\nld.volatile.global.u32 r2, [%in];\n"
                 "setp.ne.u32 p3, r2, 7;\n@p3 bra LOOP;\nbra END;\n"
                 "FAR:\nst.global.u32 [%out+1073741824], r1;\nEND:\n" +
                 store_result("%n")),
      {}, true);
  Backend& backend = runner.backend();
  const Arrays arrays(backend);
  arrays.count(3, 5);
  const auto hidden = backend.unreached("k").one_sided;
  ASSERT_EQ(hidden.size(), 1u);
  for (const int n : {5, 9}) {
    Launch launch = arrays.launch(3, n);
    launch.opposed = {hidden[0].instruction};
    launch.step_budget = 1'000'000;
    if (n == 5)
      EXPECT_EQ(fault_kind_of(backend, launch), "too_slow");
    else
      EXPECT_TRUE(backend.count_sequences({{launch}}, {}, {{}})[0].values.empty()) << n;
  }
  arrays.count(3, 5);
  EXPECT_EQ(first_result(backend, arrays.out), 5u);
}

// A loop that ends where a number is found: it would go on for ever, long before the steps are used
// up, and does one more turn where the comparison says the opposite once.
TEST(Opposed, KeepsNoLoopGoing) {
  LOCKSTEP_NEEDS_PTXAS();
  PtxRunner runner(
      ptx_kernel("mov.u32 r1, 0;\nLOOP:\nadd.u32 r1, r1, 1;\nld.volatile.global.u32 r2, [%in];\n"
                 "setp.eq.u32 p1, r2, 12345;\n@p1 bra LOOP;\n" +
                 store_result("r1")),
      {}, true);
  Backend& backend = runner.backend();
  const Arrays arrays(backend);
  arrays.count(3, 5);
  EXPECT_EQ(first_result(backend, arrays.out), 1u);
  const auto end = backend.unreached("k").one_sided;
  ASSERT_EQ(end.size(), 1u);
  Launch launch = arrays.launch(3, 5);
  launch.opposed = {end[0].instruction};
  const uint64_t before = backend.steps();
  EXPECT_EQ(fault_kind_of(backend, launch), "too_slow");
  EXPECT_LT(backend.steps() - before, 10'000u);
  launch.opposed = {end[0].instruction | Launch::kOnce};
  backend.count_sequences({{launch}}, {}, {{}});
  EXPECT_EQ(first_result(backend, arrays.out), 2u);
}

// A remainder of 64 bits as the compiler writes it: whether 32 bits do is its own question, not the
// student's; but it is his where something else is computed then.
std::string divides_by(const char* narrow) {
  return ptx_kernel(
      "ld.global.u32 r1, [%in];\nadd.u32 r1, r1, 7;\ncvt.u64.u32 d1, r1;\ncvt.u64.u32 d2, %n;\n"
      "or.b64 d3, d1, d2;\nand.b64 d3, d3, -4294967296;\nsetp.eq.s64 p1, d3, 0;\n"
      "@p1 bra NARROW;\nrem.s64 d4, d1, d2;\nbra.uni END;\nNARROW:\ncvt.u32.u64 r2, d1;\n"
      "cvt.u32.u64 r3, d2;\n" +
      std::string(narrow) + "\ncvt.u64.u32 d4, r4;\nEND:\ncvt.u32.u64 r2, d4;\n" +
      store_result("r2"));
}

TEST(Opposed, IsNotWhatTheCompilerAsksBeforeItDivides) {
  for (const char* narrow : {"rem.u32 r4, r2, r3;", "rem.u32 r4, r3, r2;", "add.u32 r4, r2, r3;"}) {
    const bool own = std::string(narrow) == "rem.u32 r4, r2, r3;";
    EXPECT_EQ(width_questions(parse_ptx(divides_by(narrow))).size(), own ? 1u : 0u) << narrow;
  }
}

// Outside of its arrays, or where it cannot be executed: nothing but the try ends.
TEST(Scouts, WhatIsWrongThereIsNoFault) {
  LOCKSTEP_NEEDS_PTXAS();
  PtxRunner runner(
      ptx_kernel("setp.lt.u32 p1, %n, 10;\n@p1 bra END;\nmul.wide.u32 d1, %n, 1048576;\n"
                 "add.u64 d1, %in, d1;\nld.global.u32 r2, [d1];\n"
                 "st.global.u32 [%out], r2;\nEND:\n" +
                 store_result("%n")),
      {}, true);
  const Arrays arrays(runner.backend());
  arrays.count(3, 5);
  EXPECT_GT(runner.backend().scout({{arrays.launch(3, 1000)}})[0], 0u);
  EXPECT_THROW(runner.backend().count_sequences({{arrays.launch(3, 1000)}}, {}, {{}}), KernelFault);
}

}  // namespace
}  // namespace lockstep::emulator
