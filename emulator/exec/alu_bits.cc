// SPDX-License-Identifier: Apache-2.0
// Logic, bit fields, byte permutation, funnel shifts, dot products of small integers.
#include "emulator/exec/alu.h"
#include "emulator/numerics/bitops.h"
#include "emulator/numerics/integer.h"

namespace lockstep::emulator {
namespace {

template <class T>
LOCKSTEP_INLINE T both(T a, T b) {
  return static_cast<T>(a & b);
}
template <class T>
LOCKSTEP_INLINE T either(T a, T b) {
  return static_cast<T>(a | b);
}
template <class T>
LOCKSTEP_INLINE T differ(T a, T b) {
  return static_cast<T>(a ^ b);
}
template <class T>
LOCKSTEP_INLINE T inverse(T a) {
  return static_cast<T>(~a);
}
template <class T>
LOCKSTEP_INLINE T is_zero(T a) {
  return a == 0 ? 1 : 0;
}
template <class T>
LOCKSTEP_INLINE T same(T a) {
  return a;
}
LOCKSTEP_INLINE bool both_p(bool a, bool b) { return a & b; }
LOCKSTEP_INLINE bool either_p(bool a, bool b) { return a | b; }
LOCKSTEP_INLINE bool differ_p(bool a, bool b) { return a ^ b; }
LOCKSTEP_INLINE bool inverse_p(bool a) { return !a; }
LOCKSTEP_INLINE bool same_p(bool a) { return a; }
template <num::PrmtMode M>
LOCKSTEP_INLINE uint32_t permute(uint32_t a, uint32_t b, uint32_t c) {
  return num::prmt(a, b, num::prmt_selector(M, c));
}

#define LOCKSTEP_LOGIC(F, P)      \
  switch (op.type()) {            \
    case Type::kPred:             \
      return alu<&P>();           \
    case Type::kB16:              \
      return alu<&F<uint16_t>>(); \
    case Type::kB32:              \
      return alu<&F<uint32_t>>(); \
    case Type::kB64:              \
      return alu<&F<uint64_t>>(); \
    default:                      \
      return {};                  \
  }

Alu find_logic(const Opcode& op) {
  if (op.root == "and") LOCKSTEP_LOGIC(both, both_p)
  if (op.root == "or") LOCKSTEP_LOGIC(either, either_p)
  if (op.root == "xor") LOCKSTEP_LOGIC(differ, differ_p)
  if (op.root == "not") LOCKSTEP_LOGIC(inverse, inverse_p)
  if (op.root == "cnot") LOCKSTEP_LOGIC(is_zero, inverse_p)
  return {};
}

Alu find_field(const Opcode& op) {
  const Type t = op.type();
  if (op.root == "bfe") {
    switch (t) {
      case Type::kU32:
        return alu<&num::bfe<uint32_t>>();
      case Type::kS32:
        return alu<&num::bfe<int32_t>>();
      case Type::kU64:
        return alu<&num::bfe<uint64_t>>();
      case Type::kS64:
        return alu<&num::bfe<int64_t>>();
      default:
        return {};
    }
  }
  if (op.root == "bfi")
    return t == Type::kB32   ? alu<&num::bfi<uint32_t>>()
           : t == Type::kB64 ? alu<&num::bfi<uint64_t>>()
                             : Alu{};
  if (op.root == "bmsk") return op.has("wrap") ? alu<&num::bmsk<true>>() : alu<&num::bmsk<false>>();
  if (op.root == "szext") {
    const bool wrap = op.has("wrap");
    if (t == Type::kS32)
      return wrap ? alu<&num::szext<true, true>>() : alu<&num::szext<true, false>>();
    return wrap ? alu<&num::szext<false, true>>() : alu<&num::szext<false, false>>();
  }
  return {};
}

Alu find_count(const Opcode& op) {
  const Type t = op.type();
  const bool wide = t == Type::kB64;
  if (op.root == "popc") return wide ? alu<&num::popc<uint64_t>>() : alu<&num::popc<uint32_t>>();
  if (op.root == "clz") return wide ? alu<&num::clz<uint64_t>>() : alu<&num::clz<uint32_t>>();
  if (op.root == "fns") return alu<&num::fns>();
  if (op.root == "brev")
    return wide ? alu<static_cast<uint64_t (*)(uint64_t)>(&num::brev)>()
                : alu<static_cast<uint32_t (*)(uint32_t)>(&num::brev)>();
  if (op.root != "bfind") return {};
  const bool shift = op.has("shiftamt");
  switch (t) {
    case Type::kU32:
      return shift ? alu<&num::bfind<uint32_t, true>>() : alu<&num::bfind<uint32_t>>();
    case Type::kS32:
      return shift ? alu<&num::bfind<int32_t, true>>() : alu<&num::bfind<int32_t>>();
    case Type::kU64:
      return shift ? alu<&num::bfind<uint64_t, true>>() : alu<&num::bfind<uint64_t>>();
    case Type::kS64:
      return shift ? alu<&num::bfind<int64_t, true>>() : alu<&num::bfind<int64_t>>();
    default:
      return {};
  }
}

Alu find_permute(const Opcode& op) {
  using num::PrmtMode;
  if (op.has("f4e")) return alu<&permute<PrmtMode::kF4e>>();
  if (op.has("b4e")) return alu<&permute<PrmtMode::kB4e>>();
  if (op.has("rc8")) return alu<&permute<PrmtMode::kRc8>>();
  if (op.has("ecl")) return alu<&permute<PrmtMode::kEcl>>();
  if (op.has("ecr")) return alu<&permute<PrmtMode::kEcr>>();
  if (op.has("rc16")) return alu<&permute<PrmtMode::kRc16>>();
  return alu<&num::prmt>();
}

// vabsdiff4. Without .add, c is there for bytes that the destination leaves out: it has none here.
Alu find_vabsdiff4(const Opcode& op) {
  if (op.types.size() != 3 || op.type(0) != Type::kU32 || op.type(1) != op.type(2) || op.has("sat"))
    return {};
  const bool sum = op.has("add");
  if (op.type(1) == Type::kS32)
    return sum ? alu<&num::absolute_differences<int8_t, true>>()
               : alu<&num::absolute_differences<int8_t, false>>();
  return sum ? alu<&num::absolute_differences<uint8_t, true>>()
             : alu<&num::absolute_differences<uint8_t, false>>();
}

Alu find_dot(const Opcode& op) {
  const bool a = op.type(0) == Type::kS32, b = op.type(1) == Type::kS32;
  if (op.root == "dp4a") {
    if (a) return b ? alu<&num::dp4a<true, true>>() : alu<&num::dp4a<true, false>>();
    return b ? alu<&num::dp4a<false, true>>() : alu<&num::dp4a<false, false>>();
  }
  if (op.has("hi")) {
    if (a) return b ? alu<&num::dp2a<true, true, true>>() : alu<&num::dp2a<true, false, true>>();
    return b ? alu<&num::dp2a<false, true, true>>() : alu<&num::dp2a<false, false, true>>();
  }
  if (a) return b ? alu<&num::dp2a<true, true, false>>() : alu<&num::dp2a<true, false, false>>();
  return b ? alu<&num::dp2a<false, true, false>>() : alu<&num::dp2a<false, false, false>>();
}

}  // namespace

Alu find_bits(const Opcode& op) {
  if (op.root == "mov") {
    switch (type_bytes(op.type())) {
      case 1:
        return op.type() == Type::kPred ? alu<&same_p>() : Alu{};
      case 2:
        return alu<&same<uint16_t>>();
      case 4:
        return alu<&same<uint32_t>>();
      case 8:
        return alu<&same<uint64_t>>();
      default:
        return {};
    }
  }
  if (op.root == "shf") {
    const bool wrap = op.has("wrap");
    if (op.has("l")) return wrap ? alu<&num::shf_l<true>>() : alu<&num::shf_l<false>>();
    return wrap ? alu<&num::shf_r<true>>() : alu<&num::shf_r<false>>();
  }
  if (op.root == "lop3") return alu<&num::lop3>();
  if (op.root == "prmt") return find_permute(op);
  if (op.root == "dp4a" || op.root == "dp2a") return find_dot(op);
  if (op.root == "vabsdiff4") return find_vabsdiff4(op);
  if (const Alu found = find_logic(op)) return found;
  if (const Alu found = find_field(op)) return found;
  return find_count(op);
}

}  // namespace lockstep::emulator
