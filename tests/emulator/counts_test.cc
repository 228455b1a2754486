// SPDX-License-Identifier: Apache-2.0
// Counts that are taken by executing machine code; what is said where that cannot be, and that
// outputs are those of one execution then, too.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <set>

#include "common/backend/metric_names.h"
#include "emulator/count/wavefronts.h"
#include "emulator/memory/saved_memory.h"
#include "tests/emulator/ptx_runner.h"
#include "tests/emulator/test_modules.h"

namespace lockstep::emulator {
namespace {

// One warp; in and out have 128 bytes.
Counts count(PtxRunner& runner, int n, std::vector<uint32_t>* result = nullptr,
             const Sequence& more = {}) {
  Backend& backend = runner.backend();
  const BufferId in = backend.allocate({"in", 128}), out = backend.allocate({"out", 128});
  backend.fill(in, 0, 128, 0);
  backend.fill(out, 0, 128, 0);
  const Launch launch{
      "k", {1}, {32}, 0, {Argument::of_buffer(out), Argument::of_buffer(in), Argument::of(n)}};
  Sequence sequence{launch};
  sequence.insert(sequence.end(), more.size(), launch);
  const Counts counts = backend.count_sequences({sequence}, {}, {{}}).front();
  if (result != nullptr) {
    result->resize(32);
    backend.read(out, 0, result->data(), 128);
  }
  return counts;
}

double value(const Counts& counts, const char* metric) {
  const Count* found = counts.find(metric);
  return found == nullptr ? -1 : found->value;
}

TEST(Counted, NothingWithoutACubin) {
  PtxRunner runner(ptx_kernel(store_result("7")));
  std::vector<uint32_t> out;
  const Counts counts = count(runner, 0, &out);
  EXPECT_EQ(out, std::vector<uint32_t>(32, 7));
  EXPECT_TRUE(counts.values.empty());
  for (const std::string& metric : standard_metrics()) {
    const bool of_a_card = metric == metric::kDramBytes || metric == metric::kActiveWarpsPercent ||
                           metric == metric::kSmActivePercent || metric == metric::kTimeUs;
    const char* why = of_a_card ? "needs a GPU" : "no cubin";
    EXPECT_NE(counts.unavailable.at(metric).find(why), std::string::npos) << metric;
  }
}

TEST(Counted, NothingInAnotherOrderOfTheLanes) {
  LOCKSTEP_NEEDS_PTXAS();
  BackendOptions options;
  options.lane_order = 3;
  PtxRunner runner(ptx_kernel(store_result("7")), options, true);
  const Counts counts = count(runner, 0);
  EXPECT_NE(counts.unavailable.at(metric::kWarpInstructions).find("--lane-order"),
            std::string::npos);
}

// Adds to out, to a variable and to a word that nobody has written; and then prints, if n is not 0.
const char kAddAndPrint[] =
    "mul.wide.u32 d0, %t, 4;\nadd.u64 d0, %out, d0;\nld.global.u32 r1, [d0];\n"
    "add.u32 r1, r1, 1;\nst.global.u32 [d0], r1;\n"
    "setp.ne.u32 p1, %t, 0;\n@p1 bra DONE;\n"
    "ld.global.u32 r2, [sum];\nadd.u32 r2, r2, 10;\nst.global.u32 [sum], r2;\n"
    "st.global.u32 [d0], r2;\nsetp.eq.u32 p2, %n, 0;\n@p2 bra DONE;\n"
    "{\n.param .b64 a;\n.param .b64 b;\n.param .b32 q;\nmov.u64 d5, text;\n"
    "cvta.global.u64 d5, d5;\nst.param.b64 [a], d5;\nst.param.b64 [b], 0;\n"
    "call.uni (q), vprintf, (a, b);\n}\nDONE:\n";
const char kPrintDeclared[] =
    ".extern .func (.param .b32 q) vprintf(.param .b64 a, .param .b64 b);\n"
    ".global .align 4 .u32 sum;\n.global .align 1 .b8 text[3] = {104, 105, 0};\n";

TEST(Counted, WhatCannotBeExecutedLeavesNothingBehind) {
  LOCKSTEP_NEEDS_PTXAS();
  PtxRunner runner(ptx_kernel(kAddAndPrint, kPrintDeclared), {}, true);
  std::vector<uint32_t> out;
  const Counts counts = count(runner, 1, &out);
  EXPECT_NE(counts.unavailable.at(metric::kGlobalStoreRequests).find("printf"), std::string::npos);
  EXPECT_EQ(runner.backend().take_output(), "hi");
  EXPECT_EQ(out[0], 10u);
  for (uint32_t t = 1; t < 32; ++t) EXPECT_EQ(out[t], 1u);
  // The second launch of a sequence goes on with what the first one left.
  const Counts twice = count(runner, 1, &out, Sequence(1));
  EXPECT_EQ(out[0], 20u);
  for (uint32_t t = 1; t < 32; ++t) EXPECT_EQ(out[t], 2u);
  // Where it is not reached it hides nothing.
  const Counts quiet = count(runner, 0, &out);
  EXPECT_EQ(out[0], 10u);
  EXPECT_EQ(value(quiet, metric::kGlobalStoreRequests), 3);
  EXPECT_EQ(quiet.find(metric::kGlobalStoreRequests)->tier, Tier::kExact);
}

TEST(Counted, WhatIsUnwrittenStaysSo) {
  AddressSpace memory;
  Allocation* a = memory.allocate("a", 10000, false);
  a->defined->define(0, 5);
  SavedMemory before(memory);
  a->data[3] = std::byte{9};
  a->defined->define(0, 10000);
  ASSERT_TRUE(a->admits_store());
  before.put_back();
  EXPECT_EQ(a->data[3], std::byte{0});
  EXPECT_TRUE(a->defined->is_defined(0, 5));
  EXPECT_FALSE(a->defined->is_defined(0, 6));
  EXPECT_EQ(a->defined->first_undefined(8000, 4), 8000u);
  EXPECT_FALSE(a->changed);
}

// Operations on the bytes or halves of a word, by the PTX and by the machine code.
TEST(Counted, PartsOfAWordAreTheSameInBothExecutions) {
  LOCKSTEP_NEEDS_PTXAS();
  const std::string load =
      "mul.wide.u32 d0, %t, 4;\nmul.lo.u32 r1, %t, 0x9e3779b1;\nmul.lo.u32 r2, %t, 0x85ebca6b;\n"
      "add.u32 r1, r1, 0x3c003c01;\nadd.u32 r2, r2, 0x3c013c00;\nmov.u32 r4, 0;\n";
  const auto a = [](uint32_t t) { return t * 0x9e3779b1u + 0x3c003c01u; };
  const auto b = [](uint32_t t) { return t * 0x85ebca6bu + 0x3c013c00u; };
  for (const bool sum : {false, true}) {
    PtxRunner runner(
        ptx_kernel(load + "vabsdiff4.u32.u32.u32" + (sum ? ".add" : "") +
                   (sum ? " r3, r1, r2, r2;\n" : " r3, r1, r2, r4;\n") + store_result("r3")),
        {}, true);
    std::vector<uint32_t> out;
    EXPECT_NE(value(count(runner, 0, &out), metric::kWarpInstructions), -1);
    EXPECT_EQ(out, runner.run({}, 1, 32));
    for (uint32_t t = 0; t < 32; ++t) {
      uint32_t expected = sum ? b(t) : 0;
      for (int k = 0; k < 32; k += 8)
        expected += static_cast<uint32_t>(std::abs(int(a(t) >> k & 255) - int(b(t) >> k & 255)))
                    << (sum ? 0 : k);
      EXPECT_EQ(out[t], expected) << t << " " << sum;
    }
  }
  for (const std::string form :
       {"set.gt.u32.f16x2", "set.le.f16x2.f16x2", "set.ltu.ftz.f16x2.f16x2"}) {
    PtxRunner runner(ptx_kernel(load + form + " r3, r1, r2;\n" + store_result("r3")), {}, true);
    std::vector<uint32_t> out;
    EXPECT_NE(value(count(runner, 0, &out), metric::kWarpInstructions), -1) << form;
    EXPECT_EQ(out, runner.run({}, 1, 32)) << form;
    EXPECT_GT(std::set<uint32_t>(out.begin(), out.end()).size(), 1u) << form;
  }
}

// Else a kernel tells by an address whether it is counted.
TEST(Counted, HasItsLocalVariablesWhereTheyAreElsewhere) {
  LOCKSTEP_NEEDS_PTXAS();
  PtxRunner runner(ptx_kernel(".local .align 8 .b8 a[80];\nmov.b32 r0, a;\nshl.b32 r1, %n, 2;\n"
                              "add.u32 r1, r0, r1;\nst.local.u32 [r1+4], %t;\n"
                              "ld.local.u32 r2, [a+4];\nsub.u32 r2, r2, %t;\n"
                              "add.u32 r0, r0, r2;\n" +
                              store_result("r0")),
                   {}, true);
  std::vector<uint32_t> counted;
  count(runner, 0, &counted);
  EXPECT_NE(counted[0], 0);
  EXPECT_EQ(counted, runner.run({}, 1, 32));
}

// 8 blocks of 4 warps.
Counts count_grid(PtxRunner& runner, std::vector<uint32_t>* result, uint64_t order = 0) {
  constexpr size_t kThreads = 8 * 128;
  Backend& backend = runner.backend();
  const BufferId in = backend.allocate({"in", 128}), out = backend.allocate({"out", 4 * kThreads});
  backend.fill(in, 0, 128, 0);
  backend.fill(out, 0, 4 * kThreads, 0);
  Launch launch{
      "k", {8}, {128}, 0, {Argument::of_buffer(out), Argument::of_buffer(in), Argument::of(0)}};
  launch.order = order;
  const Counts counts = backend.count(launch, {}, {});
  result->resize(kThreads);
  backend.read(out, 0, result->data(), 4 * kThreads);
  return counts;
}

// Updates that one warp after the other does not lose, and warps that take turns do.
TEST(Counted, WhatIsLeftIsOfAnotherOrderWhereOneIsDrawn) {
  LOCKSTEP_NEEDS_PTXAS();
  PtxRunner runner(ptx_kernel("mov.u32 r2, 64;\nmov.u32 r3, %n;\nld.global.u32 r1, [%out];\nWAIT:\n"
                              "mad.lo.u32 r3, r3, 1664525, r2;\nsub.u32 r2, r2, 1;\n"
                              "setp.gt.u32 p0, r2, 0;\n@p0 bra WAIT;\n"
                              "setp.eq.u32 p1, r3, 1;\n@p1 add.u32 r1, r1, 1;\n"
                              "add.u32 r1, r1, 1;\nst.global.u32 [%out], r1;\n"),
                   {}, true);
  std::vector<uint32_t> out;
  const Counts counts = count_grid(runner, &out);
  EXPECT_EQ(out[0], 32u);
  for (uint64_t order = 1; order <= 8; ++order) {
    const Counts again = count_grid(runner, &out, order);
    EXPECT_LT(out[0], 32u) << order;
    EXPECT_EQ(value(again, metric::kWarpInstructions), value(counts, metric::kWarpInstructions));
  }
}

// Each warp of a block but the first waits for the one before it.
TEST(Counted, WaitingForOthersHasNoCount) {
  LOCKSTEP_NEEDS_PTXAS();
  PtxRunner runner(
      ptx_kernel("shr.u32 r1, %t, 5;\nmul.wide.u32 d0, r1, 4;\nmov.u64 d1, done;\n"
                 "add.u64 d0, d0, d1;\nmov.u32 r2, %tid.x;\nsetp.lt.u32 p0, r2, 32;\n@p0 bra GO;\n"
                 "WAIT:\nld.volatile.global.u32 r3, [d0+-4];\nsetp.eq.u32 p1, r3, 0;\n"
                 "@p1 bra WAIT;\nGO:\n" +
                     store_result("5") + "st.volatile.global.u32 [d0], 1;\n",
                 ".global .align 4 .b32 done[32];\n"),
      {}, true);
  std::vector<uint32_t> out;
  const Counts counts = count_grid(runner, &out);
  EXPECT_EQ(out, std::vector<uint32_t>(8 * 128, 5));
  EXPECT_EQ(counts.find(metric::kWarpInstructions), nullptr);
  EXPECT_NE(counts.unavailable.at(metric::kWarpInstructions).find("the order in which warps go on"),
            std::string::npos);
  // What does not hang on it is there.
  EXPECT_EQ(value(counts, metric::kGlobalStoreRequests), 2 * 32);
}

// Warps take 200 tickets, whoever comes first: many or few, but as many together.
TEST(Counted, TakingTurnsAtAQueueHasOne) {
  LOCKSTEP_NEEDS_PTXAS();
  PtxRunner runner(
      ptx_kernel("mov.u32 r2, 0;\nmov.u32 r4, %laneid;\nsetp.ne.u32 p1, r4, 0;\nNEXT:\n"
                 "mov.u32 r1, 0;\n@p1 bra TOGETHER;\natom.global.add.u32 r1, [ticket], 1;\n"
                 "TOGETHER:\nshfl.sync.idx.b32 r1, r1, 0, 31, -1;\nadd.u32 r2, r2, 1;\n"
                 "setp.lt.u32 p0, r1, 200;\n@p0 bra NEXT;\n" +
                     store_result("r2"),
                 ".global .align 4 .u32 ticket;\n"),
      {}, true);
  std::vector<uint32_t> out;
  const Counts counts = count_grid(runner, &out);
  EXPECT_EQ(value(counts, metric::kAtomicRequests), 200 + 32);
  EXPECT_EQ(counts.find(metric::kAtomicRequests)->tier, Tier::kPredicted);
  uint32_t turns = 0;
  for (size_t warp = 0; warp < 32; ++warp) turns += out[32 * warp];
  EXPECT_EQ(turns, 200u + 32);
  // In fair turns nobody takes them all.
  EXPECT_LT(value(counts, metric::kCriticalPath) * 4, value(counts, metric::kWarpInstructions));
}

// Four warps of a block do the same, between barriers: at one time, or one after the other.
TEST(Counted, WhatIsDoneInTurnsIsALongerWay) {
  LOCKSTEP_NEEDS_PTXAS();
  const auto counts_of = [](const std::string& mine) {
    PtxRunner runner(
        ptx_kernel("mov.u32 r2, %tid.x;\nshr.u32 r1, r2, 5;\nmov.u32 r6, r2;\nmov.u32 r3, 0;\n"
                   "NEXT:\nsetp.ne.u32 p0, r3, " +
                   mine +
                   ";\n@p0 bra SKIP;\nmov.u32 r4, 0;\nWORK:\n"
                   "mad.lo.u32 r6, r6, 1664525, r4;\nadd.u32 r4, r4, 1;\n"
                   "setp.lt.u32 p1, r4, 1000;\n@p1 bra WORK;\nSKIP:\nbar.sync 0;\n"
                   "add.u32 r3, r3, 1;\nsetp.lt.u32 p1, r3, 4;\n@p1 bra NEXT;\n" +
                   store_result("r6")),
        {}, true);
    std::vector<uint32_t> out;
    return count_grid(runner, &out);
  };
  const Counts together = counts_of("0"), in_turns = counts_of("r1");
  const double path = value(together, metric::kCriticalPath);
  EXPECT_NEAR(value(in_turns, metric::kWarpInstructions),
              value(together, metric::kWarpInstructions), 2000);
  EXPECT_GT(path, 1000);
  EXPECT_NEAR(path, value(together, metric::kWarpInstructions) / 32, 100) << "of 32 warps";
  EXPECT_GT(value(in_turns, metric::kCriticalPath), 3.8 * path);
  EXPECT_LT(value(in_turns, metric::kCriticalPath), 4.2 * path);
}

// The same without barriers: each warp waits for a word of shared memory that the one before writes
// when it is done. Nobody spins, since the warps are executed in that order, the last to come to
// the barrier first; but what is read was written before.
TEST(Counted, WhatWaitsForAWordComesAfterIt) {
  LOCKSTEP_NEEDS_PTXAS();
  const auto counts_of = [](const std::string& awaited) {
    PtxRunner runner(
        ptx_kernel("mov.u32 r2, %tid.x;\nshr.u32 r1, r2, 5;\nadd.u32 r1, r1, 1;\n"
                   "and.b32 r1, r1, 3;\nmov.u32 r6, r2;\nmov.u32 r3, 0;\n"
                   "st.volatile.shared.u32 [turn], r3;\nbar.sync 0;\n"
                   "SPIN:\nld.volatile.shared.u32 r3, [turn];\nsetp.lt.u32 p0, r3, " +
                       awaited +
                       ";\n@p0 bra SPIN;\nmov.u32 r4, 0;\nWORK:\n"
                       "mad.lo.u32 r6, r6, 1664525, r4;\nadd.u32 r4, r4, 1;\n"
                       "setp.lt.u32 p1, r4, 1000;\n@p1 bra WORK;\nadd.u32 r3, r1, 1;\n" +
                       store_result("r6") + "membar.cta;\nst.volatile.shared.u32 [turn], r3;\n",
                   ".shared .align 4 .u32 turn;\n"),
        {}, true);
    std::vector<uint32_t> out;
    return count_grid(runner, &out);
  };
  const double alone = value(counts_of("0"), metric::kWarpInstructions) / 32;
  EXPECT_GT(alone, 1000);
  EXPECT_NEAR(value(counts_of("r1"), metric::kCriticalPath), 4 * alone, 0.05 * alone);
}

// ptxas puts a guard before the vote in place of a branch around it: lanes that it holds off do not
// vote.
TEST(Counted, WhomAGuardHoldsOffDoesNotVote) {
  LOCKSTEP_NEEDS_PTXAS();
  PtxRunner runner(ptx_kernel("mov.u32 r2, %laneid;\nand.b32 r2, r2, 1;\nsetp.eq.u32 p0, r2, 1;\n"
                              "mov.u32 r1, 0;\n@p0 activemask.b32 r1;\n" +
                              store_result("r1")),
                   {}, true);
  std::vector<uint32_t> out;
  count_grid(runner, &out);
  for (size_t i = 0; i < out.size(); ++i) ASSERT_EQ(out[i], i % 2 == 1 ? 0xaaaaaaaa : 0u) << i;
}

// Machine code changes the whole word around it.
TEST(Counted, AnAtomicOperationOnLessThanAWord) {
  LOCKSTEP_NEEDS_PTXAS();
  PtxRunner runner(ptx_kernel("mov.b16 h1, 0x3c00;\natom.global.add.noftz.f16 h2, [total], h1;\n"
                              "bar.sync 0;\nld.global.b16 h2, [total];\ncvt.u32.u16 r1, h2;\n" +
                                  store_result("r1"),
                              ".global .align 2 .b16 total;\n"),
                   {}, true);
  std::vector<uint32_t> out;
  const Counts counts = count(runner, 0, &out);
  EXPECT_EQ(out, std::vector<uint32_t>(32, 0x5000));  // 32
  EXPECT_TRUE(counts.find(metric::kAtomicRequests) != nullptr);
}

TEST(Counted, WhatNeedsACardIsNamedAndNeverZero) {
  LOCKSTEP_NEEDS_PTXAS();
  PtxRunner runner(ptx_kernel(store_result("7")), {}, true);
  const Counts counts = count(runner, 0);
  for (const char* metric : {metric::kDramBytes, metric::kActiveWarpsPercent, metric::kTimeUs}) {
    EXPECT_EQ(counts.find(metric), nullptr) << metric;
    EXPECT_TRUE(counts.unavailable.count(metric)) << metric;
  }
}

// Lane 0 reads a word of global memory, the others words of shared memory in one bank.
TEST(Counted, OneInstructionThatReachesTwoSpacesIsCountedInBoth) {
  LOCKSTEP_NEEDS_PTXAS();
  PtxRunner runner(
      ptx_kernel(".shared .align 4 .b8 s[4096];\nmov.u64 d1, s;\nmul.wide.u32 d0, %t, 128;\n"
                 "add.u64 d1, d1, d0;\nst.shared.u32 [d1], %t;\ncvta.shared.u64 d1, d1;\n"
                 "setp.eq.u32 p0, %t, 0;\ncvta.global.u64 d2, %in;\nselp.b64 d1, d2, d1, p0;\n"
                 "ld.u32 r1, [d1];\n" +
                 store_result("r1")),
      {}, true);
  const Counts counts = count(runner, 0);
  EXPECT_EQ(value(counts, metric::kGlobalLoadRequests), 1);
  EXPECT_EQ(value(counts, metric::kGlobalLoadSectors), 1);
  EXPECT_EQ(value(counts, metric::kSharedRequests), 2);
  EXPECT_EQ(value(counts, metric::kSharedWavefronts), 32 + 31);
}

TEST(Counted, LinesAddUpToTheWhole) {
  LOCKSTEP_NEEDS_MODULE("h200/kernels");
  BackendOptions options;
  options.lines = true;
  const auto backend = make_emulator_backend(options);
  backend->load_module(
      {test_module("h200/kernels", ".ptx"), test_module("h200/kernels", ".cubin")});
  const BufferId in = backend->allocate({"in", 1 << 16}), out = backend->allocate({"out", 1 << 16});
  backend->fill(in, 0, 1 << 16, 0);
  backend->fill(out, 0, 1 << 16, 0);
  const Counts counts =
      backend->count({"k_copy",
                      {4},
                      {256},
                      0,
                      {Argument::of_buffer(out), Argument::of_buffer(in), Argument::of(1 << 12)}},
                     {}, {});
  double sectors = 0;
  for (const LineCounts& line : counts.lines) {
    EXPECT_NE(line.file.find("kernels.cu"), std::string::npos);
    const auto at = line.counts.find(metric::kGlobalLoadSectors);
    if (at != line.counts.end()) sectors += at->second.value;
  }
  EXPECT_GT(sectors, 0);
  EXPECT_EQ(sectors, value(counts, metric::kGlobalLoadSectors));
}

// By its branches that go back: how often threads come to a loop, and the turns that they take.
TEST(Counted, LoopsOfALineTellTheirTurns) {
  const std::string stem = "build/modules/tests/emulator/kernels/traffic";
  if (!std::filesystem::exists(stem + ".cubin")) GTEST_SKIP() << "no CUDA toolkit";
  BackendOptions options;
  options.lines = true;
  const auto backend = make_emulator_backend(options);
  backend->load_module({stem + ".ptx", stem + ".cubin"});
  const BufferId out = backend->allocate({"out", 4096});
  backend->fill(out, 0, 4096, 0);
  constexpr int kThreads = 40, kRounds = 3, kTurns = 576;
  const Counts counts =
      backend->count({"reads_local",
                      {1},
                      {kThreads},
                      0,
                      {Argument::of_buffer(out), Argument::of(1), Argument::of(kRounds)}},
                     {}, {});
  std::map<double, double> turns;  // by entries
  for (const LineCounts& line : counts.lines)
    if (const auto at = line.counts.find(metric::kLoopEntries); at != line.counts.end())
      turns[at->second.value] = line.counts.at(metric::kLoopTurns).value;
  EXPECT_EQ(turns, (std::map<double, double>{{kThreads, kThreads * kRounds},
                                             {kThreads * kRounds, kThreads * kRounds * kTurns}}));
}

// Index is lane / lanes_a_word.
Counts costs(const std::string& body, int lanes_a_word) {
  PtxRunner runner(ptx_kernel("div.u32 r1, %t, %n;\nmul.wide.u32 d0, r1, 4;\n" + body,
                              ".const .align 4 .b8 table[128] = {1};\n"),
                   {}, true);
  Backend& backend = runner.backend();
  const BufferId in = backend.allocate({"in", 128}), out = backend.allocate({"out", 128});
  backend.fill(in, 0, 128, 0);
  backend.fill(out, 0, 128, 0);
  const Launch launch{
      "k",
      {1},
      {32},
      0,
      {Argument::of_buffer(out), Argument::of_buffer(in), Argument::of(lanes_a_word)}};
  return backend.count(launch,
                       {metric::kConstantWavefronts, metric::kAtomicRequests, metric::kAtomicTurns,
                        metric::kFences, metric::kPrefetchSectors},
                       {});
}

TEST(Costs, ConstantMemoryServesOneWordAtATime) {
  LOCKSTEP_NEEDS_PTXAS();
  const std::string load =
      "mov.u64 d1, table;\nadd.u64 d1, d1, d0;\nld.const.u32 r2, [d1];\n" + store_result("r2");
  // One more for what ptxas itself loads with LDC.
  const double own = value(costs(store_result("r1"), 1), metric::kConstantWavefronts);
  EXPECT_EQ(value(costs(load, 1), metric::kConstantWavefronts), own + 32);
  EXPECT_EQ(value(costs(load, 8), metric::kConstantWavefronts), own + 4);
  EXPECT_EQ(value(costs(load, 32), metric::kConstantWavefronts), own + 1);
}

TEST(Costs, AtomicOperationsOfOneWordTakeTurns) {
  LOCKSTEP_NEEDS_PTXAS();
  const std::string reduce = "add.u64 d1, %out, d0;\nred.global.max.u32 [d1], %t;\n";
  EXPECT_EQ(value(costs(reduce, 1), metric::kAtomicRequests), 1);
  EXPECT_EQ(value(costs(reduce, 32), metric::kAtomicRequests), 1);
  EXPECT_EQ(value(costs(reduce, 1), metric::kAtomicTurns), 4);
  EXPECT_EQ(value(costs(reduce, 8), metric::kAtomicTurns), 8);
  EXPECT_EQ(value(costs(reduce, 32), metric::kAtomicTurns), 32);
  EXPECT_EQ(value(costs(store_result("r1"), 1), metric::kAtomicRequests), 0);
}

TEST(Costs, FencesThatReachBeyondTheBlockAreCountedOnceAWarp) {
  LOCKSTEP_NEEDS_PTXAS();
  const auto fences = [](const std::string& body) {
    return value(costs(body + "\n" + store_result("r1"), 1), metric::kFences);
  };
  EXPECT_EQ(fences(""), 0);
  for (const char* fence :
       {"membar.gl;", "membar.sys;", "fence.sc.gpu;", "fence.acq_rel.sys;",
        "st.release.gpu.global.u32 [%out], r1;", "st.release.sys.global.u32 [%out], r1;",
        "red.release.gpu.global.add.u32 [%out], 1;"})
    EXPECT_EQ(fences(fence), 1) << fence;
  for (const char* fence : {"membar.cta;", "fence.acq_rel.cta;", "fence.sc.cta;",
                            "st.release.cta.global.u32 [%out], r1;", "st.global.u32 [%out], r1;"})
    EXPECT_EQ(fences(fence), 0) << fence;
}

TEST(Costs, DistinctAddressesAreCounted) {
  uint64_t address[32];
  for (int i = 0; i < 32; ++i) address[i] = 8 * (i % 5);
  EXPECT_EQ(constant_wavefronts(address, ~0u), 5u);
  EXPECT_EQ(constant_wavefronts(address, 0b100001), 1u);
  EXPECT_EQ(constant_wavefronts(address, 0), 0u);
}

// Sectors from L2 to L1 of two loads of the same 128 bytes, as an H200 counted them
// (l1tex__m_xbar2l1tex_read_sectors).
double sectors_with(const std::string& between) {
  const std::string load = "ld.global.u32 r1, [d0];\n";
  PtxRunner runner(ptx_kernel("mul.wide.u32 d0, %t, 4;\nadd.u64 d0, %in, d0;\n" + load +
                              "mov.u32 r9, r1;\nsetp.eq.u32 p1, %n, 1;\n" + between +
                              // So that ptxas keeps both.
                              "\nld.relaxed.cta.global.u32 r1, [d0];\nadd.u32 r1, r1, r9;\n" +
                              store_result("r1")),
                   {}, true);
  return value(count(runner, 0), metric::kL2ToL1Bytes) / 32;
}

TEST(Fences, ThatReachBeyondTheBlockEmptyL1) {
  LOCKSTEP_NEEDS_PTXAS();
  EXPECT_EQ(sectors_with(""), 4);
  for (const char* fence : {"membar.gl;", "membar.sys;", "fence.sc.gpu;", "fence.acq_rel.sys;",
                            "fence.acquire.gpu;", "@!p1 membar.gl;"})
    EXPECT_EQ(sectors_with(fence), 8) << fence;
  for (const char* fence : {"membar.cta;", "fence.sc.cta;", "fence.acq_rel.cta;",
                            "fence.release.gpu;", "@p1 membar.gl;"})
    EXPECT_EQ(sectors_with(fence), 4) << fence;
}

}  // namespace
}  // namespace lockstep::emulator
