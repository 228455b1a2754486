// SPDX-License-Identifier: Apache-2.0
// The ways of awkward operands through the routines of division, root and reciprocal.
#include "emulator/count/slow_ways.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <string>

namespace lockstep::emulator {
namespace {

std::string way32(const char* opcode, float a, float b = 1) {
  const SlowOp op = slow_op(opcode);
  const int way = slow_way(op, std::bit_cast<uint32_t>(a), std::bit_cast<uint32_t>(b));
  return std::string(tests_on_way(op, way));
}

std::string way64(const char* opcode, double a, double b = 1) {
  const SlowOp op = slow_op(opcode);
  const int way = slow_way(op, std::bit_cast<uint64_t>(a), std::bit_cast<uint64_t>(b));
  return std::string(tests_on_way(op, way));
}

TEST(SlowWays, ApproximationsHaveNone) {
  EXPECT_EQ(slow_op("div.approx.f32"), SlowOp::kNone);
  EXPECT_EQ(slow_op("div.full.f32"), SlowOp::kNone);
  EXPECT_EQ(slow_op("div.s64"), SlowOp::kNone);
  EXPECT_EQ(slow_op("sqrt.rn.f64"), SlowOp::kRoot64);
}

TEST(SlowWays, OrdinaryOperandsTakeTheShortPath) {
  EXPECT_EQ(way32("div.rn.f32", 1, 3), "");
  EXPECT_EQ(way32("sqrt.rn.f32", 2), "");
  EXPECT_EQ(way64("div.rn.f64", 1, 3), "");
  EXPECT_EQ(way64("sqrt.rn.f64", 2), "");
  EXPECT_EQ(way64("rcp.rn.f64", 3), "");
}

TEST(SlowWays, Division) {
  constexpr float kInf = std::numeric_limits<float>::infinity(), kNan = std::nanf("");
  EXPECT_EQ(way32("div.rn.f32", 1e30f, 1e-8f), "tt");
  EXPECT_EQ(way32("div.rn.f32", 1e30f, 1e-30f), "tnt");
  EXPECT_EQ(way32("div.rn.f32", 1e-30f, 1e30f), "tnnnt");
  EXPECT_EQ(way32("div.rn.f32", 1e-20f, 1e20f), "tnnnn");
  EXPECT_EQ(way32("div.rn.f32", kNan, 1), "nt");
  EXPECT_EQ(way32("div.rn.f32", 0, 0), "nnt");
  EXPECT_EQ(way32("div.rn.f32", kInf, -kInf), "nnnt");
  EXPECT_EQ(way32("div.rn.f32", 0, 3), "nnnnt");
  EXPECT_EQ(way32("div.rn.f32", 3, 0), "nnnnnt");
  EXPECT_EQ(way32("div.rn.f32", 1, 1e-42f), "nnnnnnnt");
  EXPECT_EQ(way32("div.rn.f32", 1e-5f, 1e-42f), "nnnnnnt");
}

TEST(SlowWays, RoundedUpOrDownDivisionHasNoShortPath) {
  EXPECT_EQ(way32("div.rm.f32", 1, 3), "tt");
  EXPECT_EQ(way32("div.rp.f32", 1e-20f, 1e20f), "?");
  EXPECT_EQ(way32("div.rz.f32", 0, 3), "?");
}

TEST(SlowWays, DivisionOfDoubles) {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  EXPECT_EQ(way64("div.rn.f64", 1e-300, 1e-10), "nt");
  EXPECT_EQ(way64("div.rn.f64", std::ldexp(1, -1000), std::ldexp(1, 60)), "nnt");
  EXPECT_EQ(way64("div.rn.f64", 1e-300, 3e15), "nnn");
  EXPECT_EQ(way64("div.rn.f64", std::nan(""), 1), "tt");
  EXPECT_EQ(way64("div.rn.f64", 1, std::nan("")), "tnt");
  EXPECT_EQ(way64("div.rn.f64", 0, 0), "tnnt");
  EXPECT_EQ(way64("div.rn.f64", kInf, 2), "tnnn");
  EXPECT_EQ(way64("div.rn.f64", 0, 2), "tnnn");
}

TEST(SlowWays, RootsAndReciprocals) {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  EXPECT_EQ(way32("sqrt.rn.f32", -0.f), "t");
  EXPECT_EQ(way32("sqrt.rn.f32", -1), "nt");
  EXPECT_EQ(way32("sqrt.rn.f32", -std::nanf("")), "nnt");
  EXPECT_EQ(way32("sqrt.rn.f32", 1e-40f), "nnn");
  EXPECT_EQ(way64("sqrt.rn.f64", 1e-300), "n");
  EXPECT_EQ(way64("sqrt.rn.f64", 0), "tt");
  EXPECT_EQ(way64("sqrt.rn.f64", -4), "tnt");
  EXPECT_EQ(way64("sqrt.rn.f64", kInf), "tnnt");
  EXPECT_EQ(way64("sqrt.rn.f64", 5e-324), "tnnn");
  EXPECT_EQ(way32("rcp.rn.f32", 0), "n");
  EXPECT_EQ(way32("rcp.rn.f32", 3e38f), "tn");
  EXPECT_EQ(way32("rcp.rn.f32", float(kInf)), "tt");
  EXPECT_EQ(way64("rcp.rn.f64", std::nan("")), "t");
  EXPECT_EQ(way64("rcp.rn.f64", 0), "nt");
  EXPECT_EQ(way64("rcp.rn.f64", 1e-310), "nnt");
  EXPECT_EQ(way64("rcp.rn.f64", 1.5e308), "nnn");
}

// Counted on an H200: 19 instructions for 2.5, 48 for a subnormal, 29, 31, 33 and 36 for the rest.
TEST(SlowWays, ReciprocalRootsOfDoubles) {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  EXPECT_EQ(way64("rsqrt.approx.f64", 2.5), "");
  EXPECT_EQ(way64("rsqrt.approx.f64", 0x1p-1022), "");
  EXPECT_EQ(way64("rsqrt.approx.f64", 0x1p1022), "");
  EXPECT_EQ(way64("rsqrt.approx.f64", 0x1p-1070), "nnnn");
  EXPECT_EQ(way64("rsqrt.approx.f64", -0.0), "t");
  EXPECT_EQ(way64("rsqrt.approx.f64", std::nan("")), "nt");
  EXPECT_EQ(way64("rsqrt.approx.f64", -2.5), "nnt");
  EXPECT_EQ(way64("rsqrt.approx.f64", -kInf), "nnt");
  EXPECT_EQ(way64("rsqrt.approx.f64", kInf), "nnnt");
}

TEST(SlowWays, DirectedRoundingHasRoutinesOfItsOwn) {
  EXPECT_EQ(slow_op("rcp.rp.f64"), SlowOp::kNone);
  EXPECT_EQ(slow_op("div.rz.f64"), SlowOp::kNone);
  EXPECT_EQ(slow_op("sqrt.rm.f64"), SlowOp::kNone);
  EXPECT_EQ(slow_op("div.rn.ftz.f32"), SlowOp::kNone);
  EXPECT_EQ(way32("sqrt.rp.f32", 2), "");
  EXPECT_EQ(way32("sqrt.rp.f32", 1e-40f), "?");
  EXPECT_EQ(way32("rcp.rz.f32", 3), "");
  EXPECT_EQ(way32("rcp.rz.f32", 0), "?");
}

}  // namespace
}  // namespace lockstep::emulator
