// SPDX-License-Identifier: Apache-2.0
// Code that no counted launch has come to, and the launches that come to it.
#include <gtest/gtest.h>

#include <algorithm>

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
