// SPDX-License-Identifier: Apache-2.0
// What operations lose of what they are given.
#include "emulator/watch/loss.h"

#include <gtest/gtest.h>

#include <bit>

namespace lockstep::emulator {
namespace {

std::string lost(const std::string& opcode, uint64_t a, uint64_t b = 0) {
  const std::optional<Loss> loss = loss_in(loss_kind_of(opcode), opcode, a, b);
  return loss ? loss->from + " -> " + loss->to : "";
}
uint64_t f32(float v) { return std::bit_cast<uint32_t>(v); }

TEST(Loss, IsAFractionOrARemainder) {
  EXPECT_EQ(lost("cvt.rzi.s32.f32", f32(-2.5f)), "-2.5 -> -2");
  EXPECT_EQ(lost("cvt.rzi.s32.f32", f32(-0.25f)), "-0.25 -> 0");
  EXPECT_EQ(lost("cvt.rni.s32.f32", f32(2.75f)), "2.75 -> 3");
  EXPECT_EQ(lost("cvt.rmi.s64.f64", std::bit_cast<uint64_t>(-1.5)), "-1.5 -> -2");
  EXPECT_EQ(lost("cvt.rzi.s32.f32", f32(7)), "");
  EXPECT_EQ(lost("cvt.rn.f32.s32", 7), "");
  EXPECT_EQ(lost("div.s32", static_cast<uint32_t>(-7), 2), "-7 / 2 -> -3");
  EXPECT_EQ(lost("div.u32", 8, 2), "");
  EXPECT_EQ(lost("div.s32", 8, 0), "");
  EXPECT_EQ(lost("div.s64", uint64_t{1} << 63, ~uint64_t{0}), "");
  EXPECT_EQ(lost("div.rn.f32", f32(7), f32(2)), "");
}

TEST(Loss, IsBits) {
  EXPECT_EQ(lost("shr.u32", 5, 1), "5 >> 1 -> 2");
  EXPECT_EQ(lost("shr.s32", static_cast<uint32_t>(-5), 1), "-5 >> 1 -> -3");
  EXPECT_EQ(lost("shr.u32", 5, 40), "5 >> 40 -> 0");
  EXPECT_EQ(lost("shr.b64", 4, 2), "");
  EXPECT_EQ(lost("cvt.u16.u32", 70000), "70000 -> 4464");
  EXPECT_EQ(lost("cvt.s16.s32", static_cast<uint32_t>(-3)), "");
  EXPECT_EQ(lost("cvt.u64.u32", 70000), "");
  EXPECT_EQ(lost("add.s32", 5, 1), "");
  EXPECT_EQ(lost("", 5, 1), "");
}

TEST(Loss, IsWhatSumsCancel) {
  EXPECT_EQ(lost("sub.f32", f32(100.25f), f32(100.125f)), "100.25 - 100.125 -> 0.125");
  EXPECT_EQ(lost("add.rn.f32", f32(100.25f), f32(-100.125f)), "100.25 - 100.125 -> 0.125");
  EXPECT_EQ(lost("sub.f32", f32(100), f32(50)), "");
  EXPECT_EQ(lost("mul.f32", f32(3), f32(5)), "");
  EXPECT_EQ(lost("mul.f32", f32(1 + 0x1p-20f), f32(1 + 0x1p-20f)), " -> ");
  EXPECT_EQ(lost("add.f64", std::bit_cast<uint64_t>(1.0), std::bit_cast<uint64_t>(0x1p-60)),
            " -> ");
  EXPECT_EQ(lost("add.f32", f32(100), f32(0)), "");
  const std::optional<Loss> loss =
      loss_in(loss_kind_of("fma.rn.f32"), "fma.rn.f32", f32(8), f32(2), f32(-15));
  ASSERT_TRUE(loss);
  EXPECT_EQ(loss->from, "16 - 15");
  EXPECT_EQ(loss->share, 0x1p-20);
}

}  // namespace
}  // namespace lockstep::emulator
