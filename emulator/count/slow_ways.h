// SPDX-License-Identifier: Apache-2.0
// Division, root and reciprocal: ptxas writes a short path for ordinary operands and calls a
// routine of its own for all others. Which operands take which way through the routine.
#pragma once

#include <bit>
#include <cstdint>
#include <string_view>

namespace lockstep::emulator {

enum class SlowOp : uint8_t {
  kNone,
  kDivide32,
  kDirected32,  // f32 division rounded up, down or to zero, which is the routine alone
  kRoot32,
  kReciprocal32,
  kDirectedRoot32,        // rounded up, down or to zero: the short path is known, no way is
  kDirectedReciprocal32,  // likewise
  kDivide64,
  kRoot64,
  kReciprocal64,
  kInverseRoot64,
  kUnsigned32  // no routine: its ways are 1 for a quotient corrected once, 2 for twice
};

constexpr int kMostSlowWays = 16;

// "div.rn.f32"; kNone: there is no such routine, or none that is known.
SlowOp slow_op(std::string_view opcode);

// How often ptxas's u32 division corrects its estimate of the quotient: the reciprocal in f32, a
// little too small, improved once in integers.
inline int quotient_corrections(uint32_t a, uint32_t b) {
  if (b == 0) return 2;  // remainder - 0 is never too small
  float divisor = float(b);
  if (double(divisor) < double(b))
    divisor = std::bit_cast<float>(std::bit_cast<uint32_t>(divisor) + 1);
  const uint32_t bits = std::bit_cast<uint32_t>(1 / divisor) + 0x0ffffffeu;
  uint32_t inverse = uint32_t(std::bit_cast<float>(bits));
  inverse += uint32_t(uint64_t(inverse) * (0u - b * inverse) >> 32);
  const uint32_t rest = a - uint32_t(uint64_t(a) * inverse >> 32) * b;
  return rest < b ? 0 : rest - b < b ? 1 : 2;
}

// Whether operands leave the short path. f32 division scales neither operand: that holds while the
// exponents of divisor and quotient stay clear of both ends of the range. (That a dividend of zero
// is checked for as well was seen on a card.) The f64 tests look at high words as if they were
// floats.
inline bool is_slow(SlowOp op, uint64_t a, uint64_t b) {
  const uint32_t low = uint32_t(a), high = uint32_t(a >> 32);
  switch (op) {
    case SlowOp::kDivide32: {
      const int x = int(a >> 23 & 0xff), y = int(b >> 23 & 0xff), quotient = x - y;
      return y == 0 || y >= 253 || x == 255 || x < 25 || quotient > 124 || quotient < -124;
    }
    case SlowOp::kDirected32:
      return true;
    case SlowOp::kRoot32:
    case SlowOp::kDirectedRoot32:
      return low - 0x0d000000u > 0x727fffffu;
    case SlowOp::kReciprocal32:
    case SlowOp::kDirectedReciprocal32:
      return ((low + 0x01800000u) & 0x7f800000u) <= 0x01ffffffu;
    case SlowOp::kDivide64: {
      const double quotient = std::bit_cast<double>(a) / std::bit_cast<double>(b);
      const uint32_t q = uint32_t(std::bit_cast<uint64_t>(quotient) >> 32) & 0x7fffffff;
      const uint32_t x = high & 0x7fffffff, y = uint32_t(b >> 32) & 0x7fffffff;
      return x < 0x03600000u || y < 0x00100000u || y >= 0x7f800000u || q <= 0x00100000u ||
             q > 0x7f800000u;
    }
    case SlowOp::kRoot64:
      return high - 0x03500000u >= 0x7ca00000u;
    case SlowOp::kReciprocal64:
      return ((high + 0x00300402u) & 0x7fffffffu) < 0x00400402u;
    case SlowOp::kInverseRoot64:
      return high - 0x00100000u >= 0x7fe00000u;
    case SlowOp::kUnsigned32:
      return quotient_corrections(low, uint32_t(b)) > 0;
    case SlowOp::kNone:
      break;
  }
  return false;
}

// The way of operands (register bits; roots and reciprocals have a alone): 0 for the short path,
// else one of the routine's, below kMostSlowWays.
int slow_way(SlowOp op, uint64_t a, uint64_t b);

// What the routine's tests do on a way, one after another: 't' branches, 'n' falls through.
// "?": not known.
std::string_view tests_on_way(SlowOp op, int way);

}  // namespace lockstep::emulator
