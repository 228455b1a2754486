// SPDX-License-Identifier: Apache-2.0
// Comparisons and selections. setp's combination with another predicate is the decoder's.
#include "emulator/exec/alu.h"
#include "emulator/numerics/compare.h"
#include "emulator/numerics/half.h"

namespace lockstep::emulator {
namespace {

using num::Compare;

template <class T>
LOCKSTEP_INLINE T select(T a, T b, bool p) {
  return p ? a : b;
}
template <num::Test K, class U>
LOCKSTEP_INLINE bool test(U a) {
  return num::testp(K, a);
}

bool find_comparison(const Opcode& op, Compare* out) {
  struct Entry {
    const char* name;
    Compare compare;
  };
  static constexpr Entry kAll[] = {
      {"eq", Compare::kEq},   {"ne", Compare::kNe},   {"lt", Compare::kLt},
      {"le", Compare::kLe},   {"gt", Compare::kGt},   {"ge", Compare::kGe},
      {"lo", Compare::kLt},   {"ls", Compare::kLe},   {"hi", Compare::kGt},
      {"hs", Compare::kGe},   {"equ", Compare::kEqu}, {"neu", Compare::kNeu},
      {"ltu", Compare::kLtu}, {"leu", Compare::kLeu}, {"gtu", Compare::kGtu},
      {"geu", Compare::kGeu}, {"num", Compare::kNum}, {"nan", Compare::kNan},
  };
  for (const Entry& e : kAll)
    if (op.has(e.name)) return *out = e.compare, true;
  return false;
}

template <Compare C>
Alu by_integer(Type t) {
  switch (t) {
    case Type::kB16:
    case Type::kU16:
      return alu<&num::compare<C, uint16_t>>();
    case Type::kS16:
      return alu<&num::compare<C, int16_t>>();
    case Type::kB32:
    case Type::kU32:
      return alu<&num::compare<C, uint32_t>>();
    case Type::kS32:
      return alu<&num::compare<C, int32_t>>();
    case Type::kB64:
    case Type::kU64:
      return alu<&num::compare<C, uint64_t>>();
    case Type::kS64:
      return alu<&num::compare<C, int64_t>>();
    default:
      return {};
  }
}

// set of pairs: Yes in the half of which it holds.
template <class Format, Compare C, bool Ftz, uint32_t Yes>
uint32_t pair(uint32_t a, uint32_t b) {
  const auto low = [](uint32_t x) { return static_cast<uint16_t>(x); };
  const auto high = [](uint32_t x) { return static_cast<uint16_t>(x >> 16); };
  return (num::compare_half<Format, C, Ftz>(low(a), low(b)) ? Yes : 0) |
         (num::compare_half<Format, C, Ftz>(high(a), high(b)) ? Yes << 16 : 0);
}
template <class Format, Compare C, uint32_t One>
Alu by_pair(const Opcode& op) {
  const bool ftz = op.has("ftz");
  if (op.type(0) == op.type(1))
    return ftz ? alu<&pair<Format, C, true, One>>() : alu<&pair<Format, C, false, One>>();
  return ftz ? alu<&pair<Format, C, true, 0xffff>>() : alu<&pair<Format, C, false, 0xffff>>();
}

template <Compare C>
Alu by_float(const Opcode& op, Type t) {
  const bool ftz = op.has("ftz");
  switch (t) {
    case Type::kF16x2:
      return by_pair<num::F16, C, 0x3c00>(op);
    case Type::kBf16x2:
      return by_pair<num::Bf16, C, 0x3f80>(op);
    case Type::kF32:
      return ftz ? alu<&num::compare_f32<C, true>>() : alu<&num::compare_f32<C>>();
    case Type::kF64:
      return alu<&num::compare_f64<C>>();
    case Type::kF16:
      return ftz ? alu<&num::compare_half<num::F16, C, true>>()
                 : alu<&num::compare_half<num::F16, C>>();
    case Type::kBf16:
      return alu<&num::compare_half<num::Bf16, C>>();
    default:
      return {};
  }
}

Alu find_by_comparison(const Opcode& op, Compare c, Type t) {
  switch (c) {
    case Compare::kEq:
      return is_float(t) ? by_float<Compare::kEq>(op, t) : by_integer<Compare::kEq>(t);
    case Compare::kNe:
      return is_float(t) ? by_float<Compare::kNe>(op, t) : by_integer<Compare::kNe>(t);
    case Compare::kLt:
      return is_float(t) ? by_float<Compare::kLt>(op, t) : by_integer<Compare::kLt>(t);
    case Compare::kLe:
      return is_float(t) ? by_float<Compare::kLe>(op, t) : by_integer<Compare::kLe>(t);
    case Compare::kGt:
      return is_float(t) ? by_float<Compare::kGt>(op, t) : by_integer<Compare::kGt>(t);
    case Compare::kGe:
      return is_float(t) ? by_float<Compare::kGe>(op, t) : by_integer<Compare::kGe>(t);
    case Compare::kEqu:
      return by_float<Compare::kEqu>(op, t);
    case Compare::kNeu:
      return by_float<Compare::kNeu>(op, t);
    case Compare::kLtu:
      return by_float<Compare::kLtu>(op, t);
    case Compare::kLeu:
      return by_float<Compare::kLeu>(op, t);
    case Compare::kGtu:
      return by_float<Compare::kGtu>(op, t);
    case Compare::kGeu:
      return by_float<Compare::kGeu>(op, t);
    case Compare::kNum:
      return by_float<Compare::kNum>(op, t);
    case Compare::kNan:
      return by_float<Compare::kNan>(op, t);
  }
  return {};
}

template <class U>
Alu find_test(const Opcode& op) {
  using num::Test;
  if (op.has("finite")) return alu<&test<Test::kFinite, U>>();
  if (op.has("infinite")) return alu<&test<Test::kInfinite, U>>();
  if (op.has("number")) return alu<&test<Test::kNumber, U>>();
  if (op.has("notanumber")) return alu<&test<Test::kNotANumber, U>>();
  if (op.has("normal")) return alu<&test<Test::kNormal, U>>();
  if (op.has("subnormal")) return alu<&test<Test::kSubnormal, U>>();
  return {};
}

template <class U>
Alu find_slct(const Opcode& op) {
  if (op.type(1) == Type::kS32) return alu<&num::slct_s32<U>>();
  return op.has("ftz") ? alu<&num::slct_f32<true, U>>() : alu<&num::slct_f32<false, U>>();
}

}  // namespace

Alu find_compare(const Opcode& op) {
  const int bytes = type_bytes(op.type());
  if (op.root == "selp") {
    if (bytes == 2) return alu<&select<uint16_t>>();
    return bytes == 4 ? alu<&select<uint32_t>>() : bytes == 8 ? alu<&select<uint64_t>>() : Alu{};
  }
  if (op.root == "slct") {
    if (bytes == 2) return find_slct<uint16_t>(op);
    return bytes == 4 ? find_slct<uint32_t>(op) : bytes == 8 ? find_slct<uint64_t>(op) : Alu{};
  }
  if (op.root == "testp")
    return op.type() == Type::kF32   ? find_test<uint32_t>(op)
           : op.type() == Type::kF64 ? find_test<uint64_t>(op)
                                     : Alu{};
  if (op.root != "setp" && op.root != "set") return {};
  Compare c;
  if (!find_comparison(op, &c)) return {};
  return find_by_comparison(op, c, op.types.back());
}

}  // namespace lockstep::emulator
