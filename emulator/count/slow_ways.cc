// SPDX-License-Identifier: Apache-2.0
// The tests as they stand in the SASS of CUDA 12 for CC 9.0; the tables list them by way.
#include "emulator/count/slow_ways.h"

#include <bit>
#include <cmath>

namespace lockstep::emulator {
namespace {

constexpr uint32_t kInfinity32 = 0x7f800000, kInfinity64 = 0x7ff00000;  // 64: the high word

uint32_t high_word(uint64_t value) { return uint32_t(value >> 32) & 0x7fffffff; }

// Both exponents ordinary; NaN; zero by zero; infinity by infinity; the quotient is zero; it is
// infinite. What has a finite quotient goes on to four tests of its exponent.
constexpr std::string_view kDivide32[] = {
    "",     "tt",    "tnt",    "tnnnt",   "tnnnn",    "nt",         "nnt",
    "nnnt", "nnnnt", "nnnnnt", "nnnnnnt", "nnnnnnnt", "nnnnnnnnnt", "nnnnnnnnnn"};
// Both exponents and that of the quotient ordinary; all else.
constexpr std::string_view kDirected32[] = {"", "tt", "?"};
constexpr std::string_view kNotKnown[] = {"", "?"};
// Zero; negative; NaN; infinite or tiny.
constexpr std::string_view kRoot32[] = {"", "t", "nt", "nnt", "nnn"};
// Zero or subnormal; so large that the result is subnormal; infinite or NaN.
constexpr std::string_view kReciprocal32[] = {"", "n", "tn", "tt"};
// Neither zero nor infinite nor NaN: a normal quotient; exact; rounded. Else: the dividend is NaN;
// the divisor; zero by zero or infinity by infinity; the rest.
constexpr std::string_view kDivide64[] = {"", "nt", "nnt", "nnn", "tt", "tnt", "tnnt", "tnnn"};
// Small; zero or NaN; negative; infinite; subnormal.
constexpr std::string_view kRoot64[] = {"", "n", "tt", "tnt", "tnnt", "tnnn"};
// NaN; zero or infinite; tiny; large.
constexpr std::string_view kReciprocal64[] = {"", "t", "nt", "nnt", "nnn"};
// Zero; NaN; negative; infinite; subnormal.
constexpr std::string_view kInverseRoot64[] = {"", "t", "nt", "nnt", "nnnt", "nnnn"};

int divide32(uint32_t a, uint32_t b) {
  const uint32_t x = a & 0x7fffffff, y = b & 0x7fffffff;
  const auto ordinary = [](uint32_t v) { return v >= 0x00800000 && v < kInfinity32; };
  const bool both = ordinary(x) && ordinary(y);
  if (!both) {
    if (x > kInfinity32 || y > kInfinity32) return 5;
    if (x == 0 && y == 0) return 6;
    if (x == kInfinity32 && y == kInfinity32) return 7;
    if (x == 0 || y == kInfinity32) return 8;
    if (x == kInfinity32 || y == 0) return 9;
  }
  const double quotient = double(std::bit_cast<float>(x)) / double(std::bit_cast<float>(y));
  const int exponent = std::ilogb(quotient) + 127, first = both ? 1 : 10;
  if (exponent >= 1 && exponent <= 254) return first;
  if (exponent > 254) return first + 1;
  return exponent < -24 ? first + 2 : first + 3;
}

int directed32(uint32_t a, uint32_t b) { return divide32(a, b) == 1 ? 1 : 2; }

int root32(uint32_t a) {
  if ((a & 0x7fffffff) == 0) return 1;
  if ((a & 0x7fffffff) > kInfinity32) return 3;
  return a >> 31 ? 2 : 4;
}

int reciprocal32(uint32_t a) {
  const uint32_t exponent = a >> 23 & 0xff;
  if (exponent == 0) return 1;
  return exponent == 255 ? 3 : 2;
}

int divide64(uint64_t a, uint64_t b) {
  const double x = std::fabs(std::bit_cast<double>(a)), y = std::fabs(std::bit_cast<double>(b));
  const double quotient = x / y;
  if (std::isnan(x)) return 4;
  if (std::isnan(y)) return 5;
  if ((x == 0 && y == 0) || (std::isinf(x) && std::isinf(y))) return 6;
  if (x == 0 || y == 0 || std::isinf(x) || std::isinf(y)) return 7;
  if (high_word(std::bit_cast<uint64_t>(quotient)) > 0x00100000) return 1;
  int unused = 0;
  const double p = std::frexp(x, &unused), q = std::frexp(y, &unused);
  return std::fma(p / q, q, -p) == 0 ? 2 : 3;
}

int root64(uint64_t a) {
  const uint32_t high = uint32_t(a >> 32);
  const double x = std::bit_cast<double>(a);
  if (high >= 0x00100000 && high < 0x03500000) return 1;
  if (x == 0 || std::isnan(x)) return 2;
  if (x < 0) return 3;
  return std::isinf(x) ? 4 : 5;
}

int reciprocal64(uint64_t a) {
  const uint32_t high = high_word(a);
  if (std::isnan(std::bit_cast<double>(a))) return 1;
  if (high == 0 || high >= kInfinity64) return 2;
  return high < 0x01000001 ? 3 : 4;
}

int inverse_root64(uint64_t a) {
  const double x = std::bit_cast<double>(a);
  if (x == 0) return 1;
  if (std::isnan(x)) return 2;
  if (x < 0) return 3;
  return std::isinf(x) ? 4 : 5;
}

}  // namespace

SlowOp slow_op(std::string_view opcode) {
  if (opcode == "rsqrt.approx.f64") return SlowOp::kInverseRoot64;
  if (opcode.find(".approx") != opcode.npos || opcode.find(".full") != opcode.npos)
    return SlowOp::kNone;
  if (opcode.find(".ftz") != opcode.npos) return SlowOp::kNone;
  if (opcode == "div.u32") return SlowOp::kUnsigned32;
  const bool wide = opcode.ends_with(".f64");
  if (!wide && !opcode.ends_with(".f32")) return SlowOp::kNone;
  const std::string_view root = opcode.substr(0, opcode.find('.'));
  if (opcode.find(".rn") == opcode.npos) {
    if (wide) return SlowOp::kNone;  // the routine alone, with tests of its own
    if (root == "div") return SlowOp::kDirected32;
    if (root == "sqrt") return SlowOp::kDirectedRoot32;
    if (root == "rcp") return SlowOp::kDirectedReciprocal32;
  }
  if (root == "div") return wide ? SlowOp::kDivide64 : SlowOp::kDivide32;
  if (root == "sqrt") return wide ? SlowOp::kRoot64 : SlowOp::kRoot32;
  if (root == "rcp") return wide ? SlowOp::kReciprocal64 : SlowOp::kReciprocal32;
  return SlowOp::kNone;
}

int slow_way(SlowOp op, uint64_t a, uint64_t b) {
  if (!is_slow(op, a, b)) return 0;
  switch (op) {
    case SlowOp::kDivide32:
      return divide32(uint32_t(a), uint32_t(b));
    case SlowOp::kDirected32:
      return directed32(uint32_t(a), uint32_t(b));
    case SlowOp::kRoot32:
      return root32(uint32_t(a));
    case SlowOp::kReciprocal32:
      return reciprocal32(uint32_t(a));
    case SlowOp::kDivide64:
      return divide64(a, b);
    case SlowOp::kRoot64:
      return root64(a);
    case SlowOp::kReciprocal64:
      return reciprocal64(a);
    case SlowOp::kInverseRoot64:
      return inverse_root64(a);
    case SlowOp::kDirectedRoot32:
    case SlowOp::kDirectedReciprocal32:
      return 1;
    case SlowOp::kUnsigned32:
      return quotient_corrections(uint32_t(a), uint32_t(b));
    case SlowOp::kNone:
      break;
  }
  return 0;
}

std::string_view tests_on_way(SlowOp op, int way) {
  switch (op) {
    case SlowOp::kDivide32:
      return kDivide32[way];
    case SlowOp::kDirected32:
      return kDirected32[way];
    case SlowOp::kRoot32:
      return kRoot32[way];
    case SlowOp::kReciprocal32:
      return kReciprocal32[way];
    case SlowOp::kDivide64:
      return kDivide64[way];
    case SlowOp::kRoot64:
      return kRoot64[way];
    case SlowOp::kReciprocal64:
      return kReciprocal64[way];
    case SlowOp::kInverseRoot64:
      return kInverseRoot64[way];
    case SlowOp::kDirectedRoot32:
    case SlowOp::kDirectedReciprocal32:
      return kNotKnown[way];
    case SlowOp::kUnsigned32:
    case SlowOp::kNone:
      break;
  }
  return {};
}

}  // namespace lockstep::emulator
