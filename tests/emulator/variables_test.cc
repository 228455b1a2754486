// SPDX-License-Identifier: Apache-2.0
// A module's variables: whatever a kernel leaves in them, every execution begins with their initial
// values, those of functions and those reached through pointers too.
#include <gtest/gtest.h>

#include "common/backend/metric_names.h"
#include "tests/emulator/ptx_runner.h"

namespace lockstep::emulator {
namespace {

// Thread 0 writes down the word at `address` (a register) and then changes it by `change`.
std::string counting(const std::string& address, const std::string& change) {
  return "setp.ne.u32 p0, %t, 0;\n@p0 bra END;\n" + address + change +
         "st.global.u32 [%out], r0;\nEND:\n";
}

constexpr char kIncrement[] =
    "ld.volatile.global.u32 r0, [d0];\nadd.u32 r1, r0, 1;\nst.volatile.global.u32 [d0], r1;\n";

// What three launches of it find.
std::vector<uint32_t> seen(const std::string& text, BackendOptions options = {}) {
  PtxRunner runner(text, options);
  std::vector<uint32_t> values;
  for (int i = 0; i < 3; ++i) values.push_back(runner.run({}, 1, 32).at(0));
  return values;
}

TEST(VariablesTest, HaveTheirInitialValuesBeforeEveryLaunch) {
  EXPECT_EQ(seen(ptx_kernel(counting("mov.u64 d0, state;\n", kIncrement),
                            ".global .align 4 .u32 state;\n")),
            (std::vector<uint32_t>{0, 0, 0}));
  EXPECT_EQ(seen(ptx_kernel(counting("mov.u64 d0, state+8;\n", kIncrement),
                            ".global .align 4 .u32 state[5] = {7, 8, 9};\n")),
            (std::vector<uint32_t>{9, 9, 9}));
  EXPECT_EQ(seen(ptx_kernel(counting("mov.u64 d0, state+16;\n", kIncrement),
                            ".global .align 4 .u32 state[5] = {7, 8, 9};\n")),
            (std::vector<uint32_t>{0, 0, 0}));
}

TEST(VariablesTest, OfFunctionsAndBlocksAreRestoredToo) {
  EXPECT_EQ(seen(ptx_kernel("{\n.global .align 4 .u32 hidden = 5;\n" +
                            counting("mov.u64 d0, hidden;\n", kIncrement) + "}\n")),
            (std::vector<uint32_t>{5, 5, 5}));
}

TEST(VariablesTest, AreRestoredHoweverTheyWereWritten) {
  const std::string state = ".global .align 8 .u32 state[64] = {5, 6};\n";
  for (const char* change :
       {"atom.global.add.u32 r0, [d0], 1;\n", "ld.u32 r0, [d0];\nst.u32 [d0], 3;\n",
        "ld.global.u32 r0, [d0];\nred.global.max.u32 [d0], 100;\n",
        "ld.global.u32 r0, [d0];\nst.global.u8 [d0+1], 1;\n",
        "ld.global.u32 r0, [d0];\nst.global.v2.u32 [d0], {r0, %n};\n"})
    EXPECT_EQ(seen(ptx_kernel(counting("mov.u64 d0, state;\n", change), state)),
              (std::vector<uint32_t>{5, 5, 5}))
        << change;
  // All lanes side by side, and scattered.
  for (const char* scale : {"4", "8"})
    EXPECT_EQ(seen(ptx_kernel("mov.u64 d0, state;\nand.b32 r2, %t, 7;\nmul.wide.u32 d1, r2, " +
                                  std::string(scale) +
                                  ";\nadd.u64 d1, d0, d1;\nld.global.u32 r0, [d1];\n"
                                  "bar.sync 0;\nst.global.u32 [d1], 77;\n" +
                                  store_result("r0"),
                              state)),
              (std::vector<uint32_t>{5, 5, 5}))
        << scale;
}

TEST(VariablesTest, PointersPointWhereTheyDid) {
  EXPECT_EQ(seen(ptx_kernel(counting("mov.u64 d1, at;\nld.global.u64 d0, [d1];\n"
                                     "mov.u64 d2, other;\nst.global.u64 [d1], d2;\n",
                                     kIncrement),
                            ".global .align 4 .u32 one = 1;\n.global .align 4 .u32 other = 2;\n"
                            ".global .align 8 .u64 at = one;\n")),
            (std::vector<uint32_t>{1, 1, 1}));
}

TEST(VariablesTest, HaveTheirInitialValuesBeforeEveryCountAndAfterAFault) {
  PtxRunner runner(ptx_kernel(counting("mov.u64 d0, state;\n", kIncrement) +
                                  "setp.ne.u32 p1, %n, 9;\n@p1 bra FINE;\ntrap;\nFINE:\n",
                              ".global .align 4 .u32 state = 40;\n"));
  Backend& backend = runner.backend();
  const BufferId out = backend.allocate({"out", 128}), in = backend.allocate({"in", 128});
  uint32_t found = 0;
  const auto launch = [&](uint32_t n) {
    return Launch{
        "k", {1}, {32}, 0, {Argument::of_buffer(out), Argument::of_buffer(in), Argument::of(n)}};
  };
  const auto look = [&] {
    backend.read(out, 0, &found, 4);
    EXPECT_EQ(found, 40u);
    // Nothing of a launch is seen behind it.
    EXPECT_EQ(backend.read_global("state"), (std::vector<uint8_t>{40, 0, 0, 0}));
  };
  for (int i = 0; i < 2; ++i) backend.count(launch(0), {}, {nullptr, look});
  EXPECT_THROW(backend.launch(launch(9)), KernelFault);
  for (int i = 0; i < 2; ++i) {
    backend.launch(launch(0));
    look();
  }
}

TEST(VariablesTest, SharedMemoryOfAnEarlierLaunchCannotBeRead) {
  const std::string shared = ".shared .align 4 .u32 s[32];\nmov.u64 d0, s;\n";
  EXPECT_EQ(fault_of(ptx_kernel(shared + "ld.shared.u32 r0, [d0];\n" + store_result("r0"))),
            "uninitialized");
  PtxRunner runner(ptx_kernel(shared +
                              "setp.eq.u32 p0, %n, 0;\n@p0 bra LOOK;\nst.shared.u32 [d0], 7;\n"
                              "ret;\nLOOK:\nld.shared.u32 r0, [d0];\n" +
                              store_result("r0")));
  runner.run({}, 1, 1, 1);
  EXPECT_THROW(runner.run({}, 1, 1, 0), KernelFault);
}

TEST(VariablesTest, LocalMemoryAndRegistersBeginWithZeros) {
  PtxRunner runner(
      ptx_kernel(".local .align 4 .b8 a[8];\nmov.u64 d0, a;\nld.local.u32 r0, [d0];\n"
                 "st.local.u32 [d0], 9;\nadd.u32 r0, r0, r5;\nmov.u32 r5, 3;\n" +
                 store_result("r0")));
  for (int i = 0; i < 3; ++i) EXPECT_EQ(runner.run({}, 4, 32), std::vector<uint32_t>(128, 0));
}

// The launches of a sequence go on where the one before ended; the next sequence begins anew.
TEST(VariablesTest, LaunchesOfASequenceContinue) {
  LOCKSTEP_NEEDS_PTXAS();
  PtxRunner runner(ptx_kernel(counting("mov.u64 d0, state;\n", kIncrement),
                              ".global .align 4 .u32 state = 40;\n"),
                   {}, true);
  Backend& backend = runner.backend();
  const BufferId out = backend.allocate({"out", 128}), in = backend.allocate({"in", 128});
  Launch launch{
      "k", {1}, {32}, 0, {Argument::of_buffer(out), Argument::of_buffer(in), Argument::of(0u)}};
  uint32_t found = 0;
  const auto look = [&] { backend.read(out, 0, &found, 4); };
  const Counts one = backend.count(launch, {metric::kGlobalStoreRequests}, {nullptr, look});
  ASSERT_NE(one.find(metric::kGlobalStoreRequests), nullptr);
  EXPECT_EQ(found, 40u);
  const std::vector<Counts> three = backend.count_sequences(
      {{launch, launch, launch}}, {metric::kGlobalStoreRequests}, {{nullptr, look}});
  EXPECT_EQ(found, 42u);
  EXPECT_EQ(three.at(0).find(metric::kGlobalStoreRequests)->value,
            3 * one.find(metric::kGlobalStoreRequests)->value);
  backend.launch(launch);
  launch.continues = true;
  backend.launch(launch);
  look();
  EXPECT_EQ(found, 41u);
}

const char* const kStoresWhereNIsNoZero =
    "ld.volatile.global.u32 r0, [state];\nst.global.u32 [%out], r0;\n"
    "setp.eq.u32 p0, %n, 0;\n@p0 bra END;\nst.global.u32 [state], %n;\nEND:\n";

// A launch that leaves 7 in the variable, and one that goes on behind it.
struct StoresAndLooks {
  explicit StoresAndLooks(Backend& backend) : out(backend.allocate({"out", 128})) {
    const BufferId in = backend.allocate({"in", 128});
    const auto with = [&](uint32_t n) {
      return Launch{
          "k", {1}, {32}, 0, {Argument::of_buffer(out), Argument::of_buffer(in), Argument::of(n)}};
    };
    stores = with(7);
    looks = with(0);
    looks.continues = true;
  }
  BufferId out;
  Launch stores, looks;
};

// What only the first launch of a sequence stores is not there when the sequence begins anew.
TEST(VariablesTest, WhatAnEarlierLaunchOfASequenceStoredIsRestoredToo) {
  PtxRunner runner(ptx_kernel(kStoresWhereNIsNoZero, ".global .align 4 .u32 state = 40;\n"));
  Backend& backend = runner.backend();
  const StoresAndLooks two(backend);
  for (int i = 0; i < 2; ++i) {
    uint32_t found = 0;
    backend.launch(two.stores);
    backend.read(two.out, 0, &found, 4);
    EXPECT_EQ(found, 40u) << "execution " << i;
    backend.launch(two.looks);
    backend.launch(two.looks);
    backend.read(two.out, 0, &found, 4);
    EXPECT_EQ(found, 7u);
  }
}

// Neither is it where the launch that is counted is executed once more in another order.
TEST(VariablesTest, WhatIsExecutedInAnotherOrderBeginsAnewToo) {
  LOCKSTEP_NEEDS_PTXAS();
  PtxRunner runner(ptx_kernel(kStoresWhereNIsNoZero, ".global .align 4 .u32 state = 40;\n"), {},
                   true);
  Backend& backend = runner.backend();
  StoresAndLooks two(backend);
  two.stores.order = 1;
  for (int i = 0; i < 2; ++i) {
    uint32_t found = 0;
    const Counts counts = backend.count(two.stores, {metric::kGlobalStoreRequests},
                                        {nullptr, [&] { backend.read(two.out, 0, &found, 4); }});
    ASSERT_NE(counts.find(metric::kGlobalStoreRequests), nullptr);
    EXPECT_EQ(found, 40u) << "execution " << i;
    backend.launch(two.looks);
  }
}

}  // namespace
}  // namespace lockstep::emulator
