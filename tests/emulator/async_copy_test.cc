// SPDX-License-Identifier: Apache-2.0
// cp.async: every form, its bytes and zeros, groups, what is refused, and what is counted. The
// mistakes that students make with it are in faults_test.cc.
#include <gtest/gtest.h>

#include "common/backend/metric_names.h"
#include "tests/emulator/ptx_runner.h"
#include "tests/emulator/test_modules.h"

namespace lockstep::emulator {
namespace {

const std::string kShared = ".shared .align 16 .b8 s[4096];\n";
// r3: byte 16 t of s; d3: that of the input.
const std::string kPlaces =
    "shl.b32 r2, %t, 4;\nmov.u32 r3, s;\nadd.u32 r3, r3, r2;\ncvt.u64.u32 d4, r2;\n"
    "add.u64 d3, %in, d4;\nsetp.lt.u32 p1, %t, 8;\n";
const std::string kWait = "cp.async.commit_group;\ncp.async.wait_group 0;\n";

std::string kernel(const std::string& body) { return ptx_kernel(kPlaces + body, kShared); }

std::vector<uint32_t> numbers(uint32_t count) {
  std::vector<uint32_t> out(count);
  for (uint32_t i = 0; i < count; ++i) out[i] = 0x01010101u * (i % 250 + 1);
  return out;
}

// Word `word` of each thread's 16 bytes after a copy.
std::vector<uint32_t> copied(const std::string& copy, int word, uint32_t n = 0) {
  PtxRunner runner(kernel(copy + kWait + "ld.shared.u32 r5, [r3+" + std::to_string(4 * word) +
                          "];\n" + store_result("r5")));
  return runner.run(numbers(128), 1, 32, n);
}

TEST(AsyncCopy, TakesAllBytesInEveryForm) {
  const std::vector<uint32_t> in = numbers(128);
  for (const char* copy :
       {"cp.async.cg.shared.global [r3], [d3], 16;", "cp.async.ca.shared.global [r3], [d3], 16;",
        "cp.async.cg.shared.global [r3], [d3], 16, 16;",
        "cp.async.cg.shared::cta.global [r3], [d3], 16;",
        "cp.async.cg.shared.global.L2::64B [r3], [d3], 16;",
        "cp.async.ca.shared.global.L2::128B [r3], [d3], 16, 16;",
        "cp.async.cg.shared.global.L2::256B [r3], [d3], 16;",
        "cp.async.ca.shared.global [r3+8], [d3+8], 8;\n"
        "cp.async.ca.shared.global [r3], [d3], 8, 8;",
        "add.u32 r4, r3, 100;\nadd.u64 d5, d3, -4;\n"
        "cp.async.ca.shared.global [r4+-100], [d5+4], 4;\n"
        "cp.async.ca.shared.global [r4+-96], [d5+8], 4;\n"
        "cp.async.ca.shared.global [r4+-92], [d5+12], 4;\n"
        "cp.async.ca.shared.global [r4+-88], [d5+16], 4;",
        "cvt.u64.u32 d5, r3;\ncp.async.cg.shared.global [d5], [d3], 16;",
        "mov.u32 r6, 16;\ncp.async.cg.shared.global [r3], [d3], 16, r6;",
        "setp.ne.u32 p2, %n, 0;\ncp.async.cg.shared.global [r3], [d3], 16, p2;"})
    for (uint32_t word = 0; word < 4; ++word) {
      const std::vector<uint32_t> out = copied(copy, static_cast<int>(word));
      for (uint32_t t = 0; t < 32; ++t) ASSERT_EQ(out[t], in[4 * t + word]) << copy << t;
    }
}

TEST(AsyncCopy, FillsUpWithZeros) {
  const std::vector<uint32_t> in = numbers(128);
  for (uint32_t taken = 0; taken <= 16; ++taken)
    for (uint32_t word = 0; word < 4; ++word) {
      const int bits = 8 * std::clamp(static_cast<int>(taken) - 4 * static_cast<int>(word), 0, 4);
      const uint32_t keep = bits == 32 ? ~0u : (1u << bits) - 1;
      const auto w = static_cast<int>(word);
      const auto constant =
          copied("cp.async.cg.shared.global [r3], [d3], 16, " + std::to_string(taken) + ";", w);
      const auto given = copied("cp.async.ca.shared.global [r3], [d3], 16, %n;", w, taken);
      for (uint32_t t = 0; t < 32; ++t) {
        ASSERT_EQ(constant[t], in[4 * t + word] & keep) << taken;
        ASSERT_EQ(given[t], in[4 * t + word] & keep) << taken;
      }
    }
}

TEST(AsyncCopy, IgnoresItsSourceWhereThePredicateSaysSo) {
  const std::vector<uint32_t> in = numbers(128);
  const auto some = copied("cp.async.cg.shared.global [r3], [d3], 16, p1;", 1);
  const auto others = copied("cp.async.cg.shared.global [r3], [d3], 16, !p1;", 1);
  for (uint32_t t = 0; t < 32; ++t) {
    EXPECT_EQ(some[t], t < 8 ? 0 : in[4 * t + 1]);
    EXPECT_EQ(others[t], t < 8 ? in[4 * t + 1] : 0);
  }
}

// A ragged end: what is not taken need not be there, nor have been written.
TEST(AsyncCopy, ReadsOnlyWhatItTakes) {
  const std::string far = "mov.u64 d3, 0;\n";
  const auto none = copied(far + "cp.async.cg.shared.global [r3], [d3], 16, 0;", 0);
  EXPECT_EQ(none, std::vector<uint32_t>(32, 0));
  EXPECT_EQ(fault_of(kernel(far + "cp.async.cg.shared.global [r3], [d3], 16, 1;")), "null_pointer");
  const std::string last = "add.u64 d3, %in, 112;\n";  // of the 128 bytes of fault_of
  EXPECT_EQ(fault_of(kernel(last + "cp.async.cg.shared.global [r3], [d3], 16;")), "");
  const std::string beyond = "add.u64 d3, %in, 128;\n";
  EXPECT_EQ(fault_of(kernel(beyond + "cp.async.cg.shared.global [r3], [d3], 16, 0;")), "");
  EXPECT_EQ(fault_of(kernel(beyond + "cp.async.cg.shared.global [r3], [d3], 16, 1;")),
            "out_of_bounds");
  std::string message;
  EXPECT_EQ(fault_of(kernel("mov.u32 r6, 17;\nmov.u64 d3, %in;\n"
                            "cp.async.cg.shared.global [r3], [d3], 16, r6;"),
                     32, {}, &message),
            "out_of_bounds");
  EXPECT_NE(message.find("take 17 of them"), std::string::npos) << message;
}

TEST(AsyncCopy, MustBeAlignedAndInside) {
  const std::string begin = "mov.u64 d3, %in;\n";
  const auto fault = [&](const char* copy) { return fault_of(kernel(begin + copy)); };
  EXPECT_EQ(fault("cp.async.cg.shared.global [r3], [d3+4], 16;"), "misaligned");
  EXPECT_EQ(fault("cp.async.cg.shared.global [r3+8], [d3], 16;"), "misaligned");
  EXPECT_EQ(fault("cp.async.ca.shared.global [r3+8], [d3+8], 8;"), "");
  EXPECT_EQ(fault("cp.async.cg.shared.global [r3+4096], [d3], 16;"), "out_of_bounds");
  EXPECT_EQ(fault("cp.async.cg.shared.global [r3+-16], [d3], 16;"), "out_of_bounds");
  EXPECT_EQ(fault("cp.async.cg.shared.global [r3+4080], [d3], 16;"), "out_of_bounds");
}

TEST(AsyncCopy, GuardsChooseLanes) {
  PtxRunner runner(kernel("st.shared.u32 [r3], 7;\n@p1 cp.async.ca.shared.global [r3], [d3], 4;\n" +
                          kWait + "ld.shared.u32 r5, [r3];\n" + store_result("r5")));
  const std::vector<uint32_t> out = runner.run(numbers(128), 1, 32);
  for (uint32_t t = 0; t < 32; ++t) EXPECT_EQ(out[t], t < 8 ? 0x01010101u * (4 * t + 1) : 7);
}

// Groups are a thread's own; the last N that it committed may be under way.
TEST(AsyncCopy, WaitsForGroups) {
  const std::string two =
      "cp.async.ca.shared.global [r3], [d3], 4;\ncp.async.commit_group;\n"
      "cp.async.ca.shared.global [r3+4], [d3+4], 4;\ncp.async.commit_group;\n";
  const std::string first = "ld.shared.u32 r5, [r3];\n", second = "ld.shared.u32 r5, [r3+4];\n";
  const auto fault = [&](const std::string& body) {
    PtxRunner runner(kernel(body + store_result("r5")));
    try {
      runner.run(numbers(128), 1, 32);
    } catch (const KernelFault& f) {
      return f.kind();
    }
    return std::string();
  };
  EXPECT_EQ(fault(two + "cp.async.wait_group 1;\n" + first), "");
  EXPECT_EQ(fault(two + "cp.async.wait_group 1;\n" + second), "race");
  EXPECT_EQ(fault(two + "cp.async.wait_group 2;\n" + first), "race");
  EXPECT_EQ(fault(two + "cp.async.wait_group 0;\n" + second), "");
  EXPECT_EQ(fault(two + "cp.async.commit_group;\ncp.async.wait_group 1;\n" + second), "");
  EXPECT_EQ(fault(two + "@p1 cp.async.commit_group;\ncp.async.wait_group 1;\n" + second), "race");
  EXPECT_EQ(fault(two + "@p1 cp.async.wait_group 0;\n" + second), "race");
  EXPECT_EQ(fault(two + "@p1 cp.async.wait_group 0;\n@!p1 cp.async.wait_all;\n" + second), "");
  const std::string open = "cp.async.ca.shared.global [r3], [d3], 4;\n";
  EXPECT_EQ(fault(open + "cp.async.wait_group 0;\n" + first), "race");
  EXPECT_EQ(fault(open + "cp.async.wait_all;\n" + first), "");
}

TEST(AsyncCopy, EveryKindOfAccessToItsPlaceIsARace) {
  const std::string copy = "mov.u64 d3, %in;\ncp.async.ca.shared.global [r3], [d3], 4;\n";
  for (const char* access : {"ld.shared.u32 r5, [r3];", "ld.volatile.shared.u32 r5, [r3];",
                             "ld.shared.u8 r5, [r3+3];", "ld.shared.v4.u32 {r5, r6, r7, r8}, [r3];",
                             "st.shared.u32 [r3], 1;", "st.volatile.shared.u32 [r3], 1;",
                             "atom.shared.add.u32 r5, [r3], 1;", "red.shared.add.u32 [r3], 1;",
                             "cvta.shared.u64 d5, s;\nadd.u64 d5, d5, d4;\n"
                             "ld.u32 r5, [d5];"})
    EXPECT_EQ(fault_of(kernel(copy + access)), "race") << access;
  EXPECT_EQ(fault_of(kernel(copy + "st.shared.u32 [r3+4], 1;")), "");
}

// As many as a thread likes: those that nobody waits for cost nothing for ever.
TEST(AsyncCopy, ManyInALoop) {
  const std::string loop =
      "mov.u64 d3, %in;\nmov.u32 r6, 0;\nL:\ncp.async.ca.shared.global [r3], [d3], 4;\n"
      "cp.async.commit_group;\nadd.u32 r6, r6, 1;\nsetp.lt.u32 p2, r6, 3000;\n@p2 bra L;\n";
  EXPECT_EQ(fault_of(kernel(loop + "cp.async.wait_group 1;\n")), "");
}

TEST(AsyncCopy, RefusesWhatItDoesNotExecute) {
  for (const char* body :
       {"cp.async.mbarrier.arrive.shared.b64 [r3];",
        "cp.async.mbarrier.arrive.noinc.shared.b64 [r3];",
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [r3], [d3], 16, [r3];",
        "cp.async.bulk.commit_group;",
        "cp.async.bulk.wait_group 0;",
        "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [d3], [r3], 16;",
        "cp.async.cg.shared.global.L2::cache_hint [r3], [d3], 16, d3;",
        "cp.async.cg.shared.global.L2::cache_hint [r3], [d3], 16, 16, d3;",
        "cp.async.cg.shared.global.L2::32B [r3], [d3], 16;",
        "cp.async.cg.shared::cluster.global [r3], [d3], 16;",
        "cp.async.cg.global.shared [r3], [d3], 16;",
        "cp.async.cg.shared.global [r3], [d3], 8;",
        "cp.async.ca.shared.global [r3], [d3], 2;",
        "cp.async.ca.shared.global [r3], [d3], r3;",
        "cp.async.ca.shared.global [r3], [d3];",
        "cp.async.wait_group r3;",
        "cp.async.wait_group;",
        "cp.async.wait_all 0;",
        "cp.async.ca.shared.global.f32 [r3], [d3], 4;",
        "cp;",
        "cp.async;",
        "cp.async.ca;"})
    EXPECT_EQ(fault_of(kernel(body)), "unsupported") << body;
}

// LDGSTS: not executed in machine code, so nothing is counted, and it says so.
bool names_what_is_missing(const Counts& counts) {
  const auto why = counts.unavailable.find(metric::kGlobalLoadRequests);
  return why != counts.unavailable.end() && why->second.find("LDGSTS") != std::string::npos;
}

TEST(AsyncCopy, CountsALoadAndAStore) {
  LOCKSTEP_NEEDS_PTXAS();
  const auto counts = [](const std::string& copy) {
    PtxRunner runner(kernel(copy + "cp.async.wait_all;\n"), {}, true);
    Backend& b = runner.backend();
    const BufferId in = b.allocate({"in", 4096}), out = b.allocate({"out", 4096});
    b.fill(in, 0, 4096, 0);
    const Counts found = b.count(
        {"k", {1}, {32}, 0, {Argument::of_buffer(out), Argument::of_buffer(in), Argument::of(0)}},
        {}, {});
    std::vector<double> values;
    if (names_what_is_missing(found)) return values;
    for (const char* metric :
         {metric::kGlobalLoadRequests, metric::kGlobalLoadSectors, metric::kSharedRequests,
          metric::kSharedWavefronts, metric::kSharedWavefrontsIdeal, metric::kL2ToL1Bytes,
          metric::kGlobalStoreRequests})
      values.push_back(found.find(metric) == nullptr ? -1 : found.find(metric)->value);
    EXPECT_EQ(found.find(metric::kGlobalLoadSectors)->tier, Tier::kPredicted);
    return values;
  };
  using V = std::vector<double>;
  const std::string wide = "cp.async.cg.shared.global [r3], [d3], 16";
  if (counts(wide + ";").empty()) return;
  EXPECT_EQ(counts(wide + ";"), V({1, 16, 1, 4, 4, 512, 0}));
  EXPECT_EQ(counts("@p1 " + wide + ";"), V({1, 4, 1, 1, 1, 128, 0}));
  EXPECT_EQ(counts(wide + ", 0;"), V({1, 0, 1, 4, 4, 0, 0}));
  EXPECT_EQ(counts(wide + ", p1;"), V({1, 12, 1, 4, 4, 384, 0}));
  // Sixteen bytes apart: eight lanes of a bank.
  EXPECT_EQ(counts("cp.async.ca.shared.global [r3], [d3], 4;"), V({1, 16, 1, 4, 1, 512, 0}));
  // What goes through L1 stays there.
  const std::string four = "cp.async.ca.shared.global [r3], [d3], 4;\n",
                    next = "cp.async.ca.shared.global [r3+4], [d3], 4;\n";
  EXPECT_EQ(counts(four + next), V({2, 32, 2, 8, 2, 512, 0}));
  EXPECT_EQ(counts(wide + ";\n" + "add.u32 r3, r3, 1024;\n" + wide + ";\n"),
            V({2, 32, 2, 8, 8, 1024, 0}));
}

// Kernels of tests/data/h200_async, as nvcc makes them.
class AsyncCopyKernels : public testing::Test {
 protected:
  static constexpr uint32_t kElements = 1 << 16;
  void SetUp() override {
    const std::string stem = "build/modules/tests/data/h200_async/async";
    if (file_bytes(stem + ".cubin").empty()) GTEST_SKIP() << "no CUDA toolkit";
    backend_ = make_emulator_backend({});
    backend_->load_module({stem + ".ptx", stem + ".cubin"});
    in_ = backend_->allocate({"in", 4 * kElements});
    out_ = backend_->allocate({"out", 4 * 1024});
    std::vector<float> input(kElements);
    for (uint32_t i = 0; i < kElements; ++i) input[i] = static_cast<float>(i % 1009);
    backend_->write(in_, 0, input.data(), 4 * kElements);
  }
  Launch launch(const std::string& kernel, int n) const {
    return {kernel,
            {4},
            {256},
            0,
            {Argument::of_buffer(out_), Argument::of_buffer(in_), Argument::of(n)}};
  }
  // In orders of their own.
  std::vector<float> run(const std::string& kernel, int n, uint64_t order, uint32_t lane_order) {
    Launch l = launch(kernel, n);
    l.order = order;
    l.lane_order = lane_order;
    backend_->fill(out_, 0, 4 * 1024, 0);
    backend_->launch(l);
    std::vector<float> out(1024);
    backend_->read(out_, 0, out.data(), 4 * 1024);
    return out;
  }
  static float input(uint32_t i) { return static_cast<float>(i % 1009); }

  std::unique_ptr<Backend> backend_;
  BufferId in_{}, out_{};
};

TEST_F(AsyncCopyKernels, AreRightInEveryOrder) {
  for (uint32_t order = 0; order < 6; ++order) {
    const auto pipe = run("cuda_pipeline", 0, order, order / 2);
    const auto group = run("group_copy", 0, order, order / 2);
    const auto tiles = run("pipeline_2", 5, order, order / 2);
    for (uint32_t i = 0; i < 1024; ++i) {
      const uint32_t block = i / 256, t = i % 256;
      EXPECT_EQ(pipe[i], input(4 * (256 * block + 255 - t)));
      EXPECT_EQ(group[i], input(4 * (256 * block + 255 - t)));
      float sum = 0;
      for (uint32_t k = 5 * block; k < 5 * block + 5; ++k)
        sum += input(1024 * k + 4 * (255 - t)) + input(1024 * k + 4 * t + 3);
      EXPECT_EQ(tiles[i], sum);
    }
  }
}

TEST_F(AsyncCopyKernels, HaveTheirInstructionsInSass) {
  for (const char* kernel : {"copy_4", "copy_16", "copy_16_ca", "zeros_half", "guarded",
                             "pipeline_2", "ragged", "cuda_pipeline", "group_copy"}) {
    const Counts counts = backend_->count(launch(kernel, 3), {}, {});
    if (names_what_is_missing(counts)) continue;
    EXPECT_NE(counts.find(metric::kWarpInstructions), nullptr) << kernel;
    ASSERT_NE(counts.find(metric::kGlobalLoadRequests), nullptr) << kernel;
    EXPECT_GT(counts.find(metric::kGlobalLoadRequests)->value, 0) << kernel;
  }
  const Counts tiles = backend_->count(launch("pipeline_2", 7), {}, {});
  if (names_what_is_missing(tiles)) return;
  EXPECT_EQ(tiles.find(metric::kGlobalLoadRequests)->value, 4 * 8 * 7);
  EXPECT_EQ(tiles.find(metric::kGlobalLoadSectors)->value, 16 * 4 * 8 * 7);
  EXPECT_EQ(tiles.find(metric::kSharedRequests)->value, 3 * 4 * 8 * 7);
}

}  // namespace
}  // namespace lockstep::emulator
