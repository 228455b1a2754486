// SPDX-License-Identifier: Apache-2.0
// Integers of a byte or two: differences, clamping, dot products.
#include <limits>

#include "emulator/numerics/bitops.h"
#include "emulator/sass/alu.h"
#include "emulator/sass/semantics.h"

namespace lockstep::emulator::sass {
namespace {

uint32_t absolute_difference_u(uint32_t a, uint32_t b, uint32_t c) {
  return (a > b ? a - b : b - a) + c;
}
uint32_t absolute_difference_s(uint32_t a, uint32_t b, uint32_t c) {
  return (static_cast<int32_t>(a) > static_cast<int32_t>(b) ? a - b : b - a) + c;
}
// .ACC: the sum of the four and C; else the four, and no C.
bool prepare_vabsdiff4(Builder& b) {
  const bool sum = b.has("ACC");
  const Operand& c = b.operand(4);
  const bool none = c.kind == OperandKind::kRegister && c.index == kZeroRegister;
  if (b.operand(1).index != kTruePredicate || (!sum && !none)) return false;
  b.to(0);
  for (int k = 0; k < 3; ++k) b.from(k, 2 + k);
  if (b.has("U8"))
    return b.run(sum ? alu<&num::absolute_differences<uint8_t, true>>()
                     : alu<&num::absolute_differences<uint8_t, false>>());
  return b.run(sum ? alu<&num::absolute_differences<int8_t, true>>()
                   : alu<&num::absolute_differences<int8_t, false>>());
}

// An S32 clamped to T. I2IP: A's above B's, and above both the lower part of C.
template <class T>
uint32_t clamped(uint32_t a) {
  const auto x = static_cast<int32_t>(a);
  constexpr int kLeast = std::numeric_limits<T>::min(), kMost = std::numeric_limits<T>::max();
  return static_cast<uint32_t>(x < kLeast ? kLeast : x > kMost ? kMost : x);
}
template <class T>
uint32_t packed(uint32_t a, uint32_t b, uint32_t c) {
  constexpr int kBits = 8 * sizeof(T);
  const uint32_t both = (clamped<T>(a) << kBits | (clamped<T>(b) & ((1u << kBits) - 1)));
  return kBits == 16 ? both : (both & 0xffff) | c << 16;
}
bool prepare_i2i(Builder& b) {
  b.to(0);
  b.from(0, 1);
  if (b.has("U8")) return b.run(alu<&clamped<uint8_t>>());
  if (b.has("S8")) return b.run(alu<&clamped<int8_t>>());
  return b.run(b.has("U16") ? alu<&clamped<uint16_t>>() : alu<&clamped<int16_t>>());
}
bool prepare_i2ip(Builder& b) {
  b.to(0);
  for (int k = 0; k < 3; ++k) b.from(k, 1 + k);
  if (b.has("U8")) return b.run(alu<&packed<uint8_t>>());
  if (b.has("S8")) return b.run(alu<&packed<int8_t>>());
  return b.run(b.has("U16") ? alu<&packed<uint16_t>>() : alu<&packed<int16_t>>());
}

bool prepare_vabsdiff(Builder& b) {
  if (b.operand(1).index != kTruePredicate) return false;
  b.to(0);
  for (int k = 0; k < 3; ++k) b.from(k, 2 + k);
  return b.run(b.has("U32") ? alu<&absolute_difference_u>() : alu<&absolute_difference_s>());
}

template <bool A, bool B>
uint32_t dot4(uint32_t a, uint32_t b, uint32_t c) {
  for (int k = 0; k < 4; ++k) {
    const int32_t x = A ? int32_t{static_cast<int8_t>(a >> (8 * k))}
                        : int32_t{static_cast<uint8_t>(a >> (8 * k))};
    const int32_t y = B ? int32_t{static_cast<int8_t>(b >> (8 * k))}
                        : int32_t{static_cast<uint8_t>(b >> (8 * k))};
    c += static_cast<uint32_t>(x * y);
  }
  return c;
}
template <bool A, bool B, bool High>
uint32_t dot2(uint32_t a, uint32_t b, uint32_t c) {
  for (int k = 0; k < 2; ++k) {
    const int place = 8 * (k + (High ? 2 : 0));
    const int32_t x = A ? int32_t{static_cast<int16_t>(a >> (16 * k))}
                        : int32_t{static_cast<uint16_t>(a >> (16 * k))};
    const int32_t y =
        B ? int32_t{static_cast<int8_t>(b >> place)} : int32_t{static_cast<uint8_t>(b >> place)};
    c += static_cast<uint32_t>(x * y);
  }
  return c;
}
// Rd, A, B, C; modifiers 4A or 2A, LO or HI, then the types of A and B.
bool prepare_idp(Builder& b) {
  b.to(0);
  for (int k = 0; k < 3; ++k) b.from(k, 1 + k);
  if (b.in.modifier_count < 3) return false;
  const bool first = b.in.modifiers[b.in.modifier_count - 2u].starts_with('S');
  const bool second = b.in.modifiers[b.in.modifier_count - 1u].starts_with('S');
  if (b.has("4A"))
    return b.run(first ? (second ? alu<&dot4<true, true>>() : alu<&dot4<true, false>>())
                       : (second ? alu<&dot4<false, true>>() : alu<&dot4<false, false>>()));
  if (!b.has("2A")) return false;
  if (b.has("HI"))
    return b.run(
        first ? (second ? alu<&dot2<true, true, true>>() : alu<&dot2<true, false, true>>())
              : (second ? alu<&dot2<false, true, true>>() : alu<&dot2<false, false, true>>()));
  return b.run(
      first ? (second ? alu<&dot2<true, true, false>>() : alu<&dot2<true, false, false>>())
            : (second ? alu<&dot2<false, true, false>>() : alu<&dot2<false, false, false>>()));
}

}  // namespace

const std::vector<Semantics>& packed_semantics() {
  static const std::vector<Semantics> all = {
      {"VABSDIFF", &prepare_vabsdiff}, {"VABSDIFF4", &prepare_vabsdiff4},
      {"I2I", &prepare_i2i},           {"I2IP", &prepare_i2ip},
      {"IDP", &prepare_idp},
  };
  return all;
}

}  // namespace lockstep::emulator::sass
