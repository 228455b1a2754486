// SPDX-License-Identifier: Apache-2.0
#include "emulator/watch/likeness.h"

#include <bit>

#include "emulator/watch/value_graph.h"

namespace lockstep::emulator {
namespace {

template <class T>
Likeness likeness_in(Warp& w, uint32_t offset, uint32_t mask, T near) {
  const T* const row = &at<T>(w, offset)[0];
  const T first = row[std::countr_zero(mask)];
  Likeness all{true, 0};
  for (uint32_t rest = mask; rest != 0; rest &= rest - 1)
    all.same = all.same && row[std::countr_zero(rest)] == first;
  if (all.same) return all;
  for (uint32_t rest = mask & mask >> 1; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const auto step = static_cast<T>(row[lane + 1] - row[lane]);
    if (static_cast<T>(step + near) > static_cast<T>(2 * near)) all.far |= 1u << lane;
  }
  return all;
}

}  // namespace

Likeness likeness(const std::string& opcode, int number, Warp& w, uint32_t offset, uint32_t mask) {
  const bool of_word = number == 2 && (opcode.starts_with("shl.") || opcode.starts_with("shr."));
  const bool is_third = number == 3;
  if (is_third && !opcode.starts_with("mad.lo.") && !opcode.starts_with("fma.")) return {};
  if (opcode.ends_with("64") && !of_word) return likeness_in<uint64_t>(w, offset, mask, 1);
  if (opcode.ends_with("16") && !of_word) return likeness_in<uint16_t>(w, offset, mask, 1);
  return likeness_in<uint32_t>(w, offset, mask, 1);
}

Likeness likeness_of_addresses(const Instr& in, Warp& w, uint32_t mask, uint32_t bytes) {
  constexpr int kAddress = 4;
  const bool narrow = (in.sub & 1) != 0;  // the register has 32 bits
  return narrow ? likeness_in<uint32_t>(w, in.o[kAddress], mask, bytes)
                : likeness_in<uint64_t>(w, in.o[kAddress], mask, bytes);
}

uint8_t bits_of(const Likeness& all, int lane, unsigned same, unsigned far) {
  return static_cast<uint8_t>(unsigned{all.same} << same | (all.far >> lane & 1) << far);
}

uint8_t bits_of_address(const Likeness& all, int lane) {
  return bits_of(all, lane, ValueNode::kOfAddress, ValueNode::kFarAddress);
}

}  // namespace lockstep::emulator
