// SPDX-License-Identifier: Apache-2.0
// Integer arithmetic.
#include "emulator/exec/alu.h"
#include "emulator/numerics/bitops.h"
#include "emulator/numerics/integer.h"

namespace lockstep::emulator {
namespace {

template <class T>
LOCKSTEP_INLINE T add(T a, T b) {
  return static_cast<T>(static_cast<Bits<T>>(a) + static_cast<Bits<T>>(b));
}
template <class T>
LOCKSTEP_INLINE T sub(T a, T b) {
  return static_cast<T>(static_cast<Bits<T>>(a) - static_cast<Bits<T>>(b));
}
template <class T>
LOCKSTEP_INLINE T neg(T a) {
  return static_cast<T>(0 - static_cast<Bits<T>>(a));
}
template <class T>
LOCKSTEP_INLINE T product24_plus(T a, T b, T c) {
  return num::wrap_add<T>(num::mul24_lo<T>(a, b), c);
}
template <class T>
LOCKSTEP_INLINE T high24_plus(T a, T b, T c) {
  return num::wrap_add<T>(num::mul24_hi<T>(a, b), c);
}

// Both halfwords of a packed register.
template <class T, T (*F)(T, T)>
LOCKSTEP_INLINE uint32_t packed(uint32_t a, uint32_t b) {
  const auto low = static_cast<uint16_t>(F(static_cast<T>(a), static_cast<T>(b)));
  const auto high = static_cast<uint16_t>(F(static_cast<T>(a >> 16), static_cast<T>(b >> 16)));
  return low | static_cast<uint32_t>(high) << 16;
}

#define LOCKSTEP_BY_TYPE(TYPE, F) \
  switch (TYPE) {                 \
    case Type::kU16:              \
      return alu<&F<uint16_t>>(); \
    case Type::kS16:              \
      return alu<&F<int16_t>>();  \
    case Type::kU32:              \
      return alu<&F<uint32_t>>(); \
    case Type::kS32:              \
      return alu<&F<int32_t>>();  \
    case Type::kU64:              \
      return alu<&F<uint64_t>>(); \
    case Type::kS64:              \
      return alu<&F<int64_t>>();  \
    default:                      \
      return {};                  \
  }
// 16 and 32 bits: results twice as wide.
#define LOCKSTEP_BY_NARROW_TYPE(TYPE, F) \
  switch (TYPE) {                        \
    case Type::kU16:                     \
      return alu<&F<uint16_t>>();        \
    case Type::kS16:                     \
      return alu<&F<int16_t>>();         \
    case Type::kU32:                     \
      return alu<&F<uint32_t>>();        \
    case Type::kS32:                     \
      return alu<&F<int32_t>>();         \
    default:                             \
      return {};                         \
  }
#define LOCKSTEP_BY_SIGN(TYPE, F) \
  switch (TYPE) {                 \
    case Type::kU32:              \
      return alu<&F<uint32_t>>(); \
    case Type::kS32:              \
      return alu<&F<int32_t>>();  \
    default:                      \
      return {};                  \
  }

// Signedness does not matter: one handler a width.
Alu find_add(const Opcode& op, Type t) {
  if (op.has("sat")) return t == Type::kS32 ? alu<&num::add_sat>() : Alu{};
  switch (t) {
    case Type::kU16:
    case Type::kS16:
      return alu<&add<uint16_t>>();
    case Type::kU32:
    case Type::kS32:
      return alu<&add<uint32_t>>();
    case Type::kU64:
    case Type::kS64:
      return alu<&add<uint64_t>>();
    case Type::kU16x2:
    case Type::kS16x2:
      return alu<&packed<uint16_t, add<uint16_t>>>();
    default:
      return {};
  }
}

Alu find_sub(const Opcode& op, Type t) {
  if (op.has("sat")) return t == Type::kS32 ? alu<&num::sub_sat>() : Alu{};
  switch (t) {
    case Type::kU16:
    case Type::kS16:
      return alu<&sub<uint16_t>>();
    case Type::kU32:
    case Type::kS32:
      return alu<&sub<uint32_t>>();
    case Type::kU64:
    case Type::kS64:
      return alu<&sub<uint64_t>>();
    default:
      return {};
  }
}

Alu find_mul(const Opcode& op, Type t) {
  if (op.has("lo")) LOCKSTEP_BY_TYPE(t, num::mul_lo)
  if (op.has("hi")) LOCKSTEP_BY_TYPE(t, num::mul_hi)
  if (op.has("wide")) LOCKSTEP_BY_NARROW_TYPE(t, num::mul_wide)
  return {};
}

Alu find_mad(const Opcode& op, Type t) {
  if (op.has("sat")) return op.has("hi") && t == Type::kS32 ? alu<&num::mad_hi_sat>() : Alu{};
  if (op.has("lo")) LOCKSTEP_BY_TYPE(t, num::mad_lo)
  if (op.has("hi")) LOCKSTEP_BY_TYPE(t, num::mad_hi)
  if (op.has("wide")) LOCKSTEP_BY_NARROW_TYPE(t, num::mad_wide)
  return {};
}

Alu find_24(const Opcode& op, Type t) {
  if (op.root == "mul24") {
    if (op.has("lo")) LOCKSTEP_BY_SIGN(t, num::mul24_lo)
    if (op.has("hi")) LOCKSTEP_BY_SIGN(t, num::mul24_hi)
    return {};
  }
  if (op.has("sat")) return op.has("hi") && t == Type::kS32 ? alu<&num::mad24_hi_sat>() : Alu{};
  if (op.has("lo")) LOCKSTEP_BY_SIGN(t, product24_plus)
  if (op.has("hi")) LOCKSTEP_BY_SIGN(t, high24_plus)
  return {};
}

Alu find_min_max(const Opcode& op, Type t) {
  const bool max = op.root == "max";
  if (op.has("relu")) {
    if (t == Type::kS32) return max ? alu<&num::max_relu>() : alu<&num::min_relu>();
    if (t == Type::kS16x2)
      return max ? alu<&packed<int16_t, num::max_relu16>>()
                 : alu<&packed<int16_t, num::min_relu16>>();
    return {};
  }
  if (t == Type::kS16x2)
    return max ? alu<&packed<int16_t, num::max_int<int16_t>>>()
               : alu<&packed<int16_t, num::min_int<int16_t>>>();
  if (t == Type::kU16x2)
    return max ? alu<&packed<uint16_t, num::max_int<uint16_t>>>()
               : alu<&packed<uint16_t, num::min_int<uint16_t>>>();
  if (max) LOCKSTEP_BY_TYPE(t, num::max_int)
  LOCKSTEP_BY_TYPE(t, num::min_int)
}

Alu find_shift(const Opcode& op, Type t) {
  if (op.root == "shl") {
    switch (t) {
      case Type::kB16:
        return alu<&num::shl<uint16_t>>();
      case Type::kB32:
        return alu<&num::shl<uint32_t>>();
      case Type::kB64:
        return alu<&num::shl<uint64_t>>();
      default:
        return {};
    }
  }
  if (t == Type::kB16) t = Type::kU16;
  if (t == Type::kB32) t = Type::kU32;
  if (t == Type::kB64) t = Type::kU64;
  LOCKSTEP_BY_TYPE(t, num::shr)
}

Alu find_unary(const Opcode& op, Type t) {
  if (op.root == "neg") {
    switch (t) {
      case Type::kS16:
        return alu<&neg<uint16_t>>();
      case Type::kS32:
        return alu<&neg<uint32_t>>();
      case Type::kS64:
        return alu<&neg<uint64_t>>();
      default:
        return {};
    }
  }
  switch (t) {
    case Type::kS16:
      return alu<&num::abs_int<int16_t>>();
    case Type::kS32:
      return alu<&num::abs_int<int32_t>>();
    case Type::kS64:
      return alu<&num::abs_int<int64_t>>();
    default:
      return {};
  }
}

}  // namespace

Alu find_integer(const Opcode& op) {
  const Type t = op.type();
  if (op.root == "add") return find_add(op, t);
  if (op.root == "sub") return find_sub(op, t);
  if (op.root == "mul") return find_mul(op, t);
  if (op.root == "mad") return find_mad(op, t);
  if (op.root == "mul24" || op.root == "mad24") return find_24(op, t);
  if (op.root == "min" || op.root == "max") return find_min_max(op, t);
  if (op.root == "shl" || op.root == "shr") return find_shift(op, t);
  if (op.root == "neg" || op.root == "abs") return find_unary(op, t);
  if (op.root == "div") LOCKSTEP_BY_TYPE(t, num::div_int)
  if (op.root == "rem") LOCKSTEP_BY_TYPE(t, num::rem_int)
  if (op.root == "sad") LOCKSTEP_BY_TYPE(t, num::sad)
  return {};
}

}  // namespace lockstep::emulator
