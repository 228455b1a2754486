// SPDX-License-Identifier: Apache-2.0
// Arithmetic with the carry flag, which is a predicate of the frame.
#include "emulator/exec/alu.h"
#include "emulator/launch/launch.h"
#include "emulator/numerics/integer.h"

namespace lockstep::emulator {
namespace {

// o[0] = F(o[1], o[2], o[3], carry); `sub` bit 0: reads the flag, bit 1: writes it, bit 2: what
// it is taken for where it is not read.
template <class U, auto F>
void carry_lanes(const Instr& in, Warp& w, uint32_t mask) {
  U* d = at<U>(w, in.o[0]);
  const U* a = at<U>(w, in.o[1]);
  const U* b = at<U>(w, in.o[2]);
  const U* c = in.o[3] == kNoOperand ? a : at<U>(w, in.o[3]);
  const uint32_t before = (in.sub & 1) != 0 ? predicate(w, in.o[5]) : (in.sub & 4) != 0 ? ~0u : 0;
  uint32_t after = 0;
  for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
    const int lane = __builtin_ctz(rest);
    const auto result = F(a[lane], b[lane], c[lane], (before >> lane & 1) != 0);
    d[lane] = static_cast<U>(result.value);
    after |= static_cast<uint32_t>(result.carry) << lane;
  }
  if ((in.sub & 2) != 0) set_predicate(w, in.o[5], after, mask);
}

template <class U>
num::WithCarry<U> add(U a, U b, U, bool carry) {
  return num::add_carry<U>(a, b, carry);
}
template <class U>
num::WithCarry<U> sub(U a, U b, U, bool carry) {
  return num::sub_carry<U>(a, b, carry);
}
template <class T, bool High>
num::WithCarry<Bits<T>> mad(Bits<T> a, Bits<T> b, Bits<T> c, bool carry) {
  const T x = static_cast<T>(a), y = static_cast<T>(b), z = static_cast<T>(c);
  if constexpr (High)
    return num::mad_hi_carry<T>(x, y, z, carry);
  else
    return num::mad_lo_carry<T>(x, y, z, carry);
}

template <class T>
Handler find_mad(bool high) {
  return high ? &carry_lanes<Bits<T>, &mad<T, true>> : &carry_lanes<Bits<T>, &mad<T, false>>;
}

}  // namespace

Handler find_carry(const Opcode& op, int* operands, int* width) {
  const Type t = op.type();
  const bool writes = op.has("cc");
  if (op.root == "addc" || op.root == "subc" || op.root == "madc") {
  } else if (!writes || (op.root != "add" && op.root != "sub" && op.root != "mad")) {
    return nullptr;
  }
  *width = type_bytes(t);
  *operands = op.root[0] == 'm' ? 3 : 2;
  const bool wide = *width == 8;
  if (*width != 4 && !wide) return nullptr;
  if (op.root[0] == 'a')
    return wide ? &carry_lanes<uint64_t, &add<uint64_t>> : &carry_lanes<uint32_t, &add<uint32_t>>;
  if (op.root[0] == 's')
    return wide ? &carry_lanes<uint64_t, &sub<uint64_t>> : &carry_lanes<uint32_t, &sub<uint32_t>>;
  const bool high = op.has("hi");
  switch (t) {
    case Type::kU32:
    case Type::kB32:
      return find_mad<uint32_t>(high);
    case Type::kS32:
      return find_mad<int32_t>(high);
    case Type::kU64:
    case Type::kB64:
      return find_mad<uint64_t>(high);
    case Type::kS64:
      return find_mad<int64_t>(high);
    default:
      return nullptr;
  }
}

}  // namespace lockstep::emulator
