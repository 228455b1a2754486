// SPDX-License-Identifier: Apache-2.0
// Arithmetic with the carry flag, which is a predicate of the frame; and the operands for which
// ptxas's division and square root leave their short path.
#include <bit>

#include "emulator/exec/alu.h"
#include "emulator/exec/launch.h"
#include "emulator/numerics/integer.h"

namespace lockstep::emulator {
namespace {

// o[0] = F(o[1], o[2], o[3], carry); `sub` bit 0: reads the flag, bit 1: writes it.
template <class U, auto F>
void carry_lanes(const Instr& in, Warp& w, uint32_t mask) {
  U* d = at<U>(w, in.o[0]);
  const U* a = at<U>(w, in.o[1]);
  const U* b = at<U>(w, in.o[2]);
  const U* c = in.o[3] == kNoOperand ? a : at<U>(w, in.o[3]);
  const uint32_t before = (in.sub & 1) != 0 ? predicate(w, in.o[5]) : 0;
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
num::WithCarry<U> add(U a, U b, U, bool carry) { return num::add_carry<U>(a, b, carry); }
template <class U>
num::WithCarry<U> sub(U a, U b, U, bool carry) { return num::sub_borrow<U>(a, b, carry); }
template <class T, bool High>
num::WithCarry<Bits<T>> mad(Bits<T> a, Bits<T> b, Bits<T> c, bool carry) {
  const T x = static_cast<T>(a), y = static_cast<T>(b), z = static_cast<T>(c);
  if constexpr (High) return num::mad_hi_carry<T>(x, y, z, carry);
  else return num::mad_lo_carry<T>(x, y, z, carry);
}

template <class T>
Handler find_mad(bool high) {
  return high ? &carry_lanes<Bits<T>, &mad<T, true>> : &carry_lanes<Bits<T>, &mad<T, false>>;
}

// The main path of ptxas's f32 division scales neither operand: it holds while the exponents of
// divisor and quotient stay clear of both ends of the range. (That a dividend of zero is checked for
// as well was seen on a card.)
bool division_is_slow(uint32_t a, uint32_t b) {
  const int x = static_cast<int>(a >> 23 & 0xff), y = static_cast<int>(b >> 23 & 0xff);
  if (y == 0 || y >= 253 || x == 255) return true;
  const int quotient = x - y;
  return x == 0 || quotient > 124 || quotient < -124 || x < 25;
}

uint32_t slow_division(const Instr& in, Warp& w, uint32_t mask) {
  const uint32_t* a = at<uint32_t>(w, in.o[1]);
  const uint32_t* b = at<uint32_t>(w, in.o[2]);
  return mask & lanes_where([&](int i) { return division_is_slow(a[i], b[i]); });
}

// Square root: subnormal, tiny, negative, infinite and NaN operands.
uint32_t slow_root(const Instr& in, Warp& w, uint32_t mask) {
  const uint32_t* a = at<uint32_t>(w, in.o[1]);
  return mask & lanes_where([&](int i) { return a[i] - 0x0d000000u > 0x727fffffu; });
}

uint32_t slow_reciprocal(const Instr& in, Warp& w, uint32_t mask) {
  const uint32_t* a = at<uint32_t>(w, in.o[1]);
  return mask & lanes_where([&](int i) {
           return ((a[i] + 0x01800000u) & 0x7f800000u) <= 0x01ffffffu;
         });
}

template <uint32_t (*Slow)(const Instr&, Warp&, uint32_t)>
void count_slow(const Instr& in, Warp& w, uint32_t mask) {
  const uint32_t slow = Slow(in, w, mask);
  MemoryCounters& c = w.worker->memory[in.aux];
  c.slow_path += slow != 0;
  c.slow_path_lanes += static_cast<uint64_t>(std::popcount(slow));
  const uint32_t* a = at<uint32_t>(w, in.o[1]);
  const uint32_t zero = slow & lanes_where([&](int i) { return (a[i] << 1) == 0; });
  c.slow_zero += zero != 0;
  c.slow_zero_lanes += static_cast<uint64_t>(std::popcount(zero));
  reinterpret_cast<Handler>(in.imm)(in, w, mask);
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
    case Type::kU32: case Type::kB32: return find_mad<uint32_t>(high);
    case Type::kS32: return find_mad<int32_t>(high);
    case Type::kU64: case Type::kB64: return find_mad<uint64_t>(high);
    case Type::kS64: return find_mad<int64_t>(high);
    default: return nullptr;
  }
}

Handler slow_path_handler(const Opcode& op) {
  if (op.type() != Type::kF32 || op.has("approx") || op.has("full")) return nullptr;
  if (op.root == "div") return &count_slow<&slow_division>;
  if (op.root == "sqrt") return &count_slow<&slow_root>;
  if (op.root == "rcp") return &count_slow<&slow_reciprocal>;
  return nullptr;
}

}  // namespace lockstep::emulator
