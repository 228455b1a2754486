// SPDX-License-Identifier: Apache-2.0
// The table behind find_cvt: one instance of a template a conversion, chosen by nested switches
// that bind one property after another to a template argument.
#include "emulator/numerics/convert_table.h"

#include <type_traits>

#include "emulator/numerics/convert.h"

namespace lockstep::emulator::num {
namespace {

// How a type lies in a register. Value: an integer type, or the bits of a float.
template <CvtType T>
struct Traits;
#define LOCKSTEP_INTEGER(NAME, TYPE)      \
  template <>                             \
  struct Traits<CvtType::NAME> {          \
    using Value = TYPE;                   \
    static constexpr bool kFloat = false; \
    static constexpr bool kHalf = false;  \
  }
LOCKSTEP_INTEGER(kU8, uint8_t);
LOCKSTEP_INTEGER(kU16, uint16_t);
LOCKSTEP_INTEGER(kU32, uint32_t);
LOCKSTEP_INTEGER(kU64, uint64_t);
LOCKSTEP_INTEGER(kS8, int8_t);
LOCKSTEP_INTEGER(kS16, int16_t);
LOCKSTEP_INTEGER(kS32, int32_t);
LOCKSTEP_INTEGER(kS64, int64_t);
#undef LOCKSTEP_INTEGER

template <>
struct Traits<CvtType::kF16> {
  using Value = uint16_t;
  using Format = F16;
  static constexpr bool kFloat = true, kHalf = true;
};
template <>
struct Traits<CvtType::kBf16> {
  using Value = uint16_t;
  using Format = Bf16;
  static constexpr bool kFloat = true, kHalf = true;
};
template <>
struct Traits<CvtType::kF32> {
  using Value = uint32_t;
  static constexpr bool kFloat = true, kHalf = false;
};
template <>
struct Traits<CvtType::kF64> {
  using Value = uint64_t;
  static constexpr bool kFloat = true, kHalf = false;
};
template <CvtType T>
using Value = typename Traits<T>::Value;

struct Modes {
  Round round;
  bool integral, ftz, sat, relu, satfinite;
};

template <CvtType To, CvtType From, Modes M>
Value<To> float_to_float(Value<From> a) {
  constexpr bool kToHalf = Traits<To>::kHalf, kFromHalf = Traits<From>::kHalf;
  if constexpr (To == From && M.integral) {
    if constexpr (To == CvtType::kF32) return integral_f32<M.round, M.ftz, M.sat>(a);
    if constexpr (To == CvtType::kF64) return integral_f64<M.round, M.sat>(a);
    if constexpr (kToHalf) return integral_half<typename Traits<To>::Format, M.round, M.sat>(a);
  } else if constexpr (To == From) {
    // Without a modifier f32 and f64 are moved, whatever they are; f16 loses a NaN's payload.
    if constexpr (To == CvtType::kF32) {
      return M.ftz || M.sat ? finish32<M.ftz, M.sat>(as_f32(flush_if<M.ftz>(a))) : a;
    }
    if constexpr (To == CvtType::kF64) return M.sat ? saturate64(a) : a;
    if constexpr (kToHalf) {
      using Format = typename Traits<To>::Format;
      return (a & 0x7fff) > Format::kInfinity && !M.sat ? kNan16
                                                        : finish_half<Format, M.sat, false>(a);
    }
  } else if constexpr (kToHalf) {
    using Format = typename Traits<To>::Format;
    if constexpr (From == CvtType::kF64) return half_from_f64<Format, M.round, M.sat>(a);
    if constexpr (From == CvtType::kF32) {
      return half_from_f32<Format, M.round, M.sat, M.relu, M.satfinite>(a);
    }
    if constexpr (kFromHalf) {
      return half_from_f32<Format, M.round, M.sat, M.relu, M.satfinite>(
          widen_half<typename Traits<From>::Format>(a));
    }
  } else if constexpr (To == CvtType::kF32) {
    if constexpr (From == CvtType::kF64) return f32_from_f64<M.round, M.ftz, M.sat>(a);
    if constexpr (kFromHalf) return f32_from_half<typename Traits<From>::Format, M.ftz, M.sat>(a);
  } else {
    if constexpr (From == CvtType::kF32) return f64_from_f32<M.ftz, M.sat>(a);
    if constexpr (kFromHalf) return f64_from_half<typename Traits<From>::Format, M.sat>(a);
  }
}

template <CvtType To, CvtType From, Modes M>
Value<To> float_to_int(Value<From> a) {
  if constexpr (Traits<From>::kHalf) {
    return int_from_half<typename Traits<From>::Format, Value<To>, M.round>(a);
  } else if constexpr (From == CvtType::kF32) {
    return int_from_f32<Value<To>, M.round, M.ftz>(a);
  } else {
    return int_from_f64<Value<To>, M.round>(a);
  }
}

template <CvtType To, CvtType From, Modes M>
Value<To> int_to_float(Value<From> a) {
  if constexpr (Traits<To>::kHalf) {
    return half_from_int<typename Traits<To>::Format, Value<From>, M.round, M.sat>(a);
  } else if constexpr (To == CvtType::kF32) {
    return f32_from_int<Value<From>, M.round, M.sat>(a);
  } else {
    return f64_from_int<Value<From>, M.round, M.sat>(a);
  }
}

template <CvtType To, CvtType From, Modes M>
uint64_t convert(uint64_t bits) {
  const auto a = static_cast<Value<From>>(bits);
  if constexpr (Traits<To>::kFloat && Traits<From>::kFloat) {
    return float_to_float<To, From, M>(a);
  } else if constexpr (Traits<From>::kFloat) {
    return static_cast<uint64_t>(float_to_int<To, From, M>(a));
  } else if constexpr (Traits<To>::kFloat) {
    return int_to_float<To, From, M>(a);
  } else {
    return static_cast<uint64_t>(int_from_int<Value<To>, Value<From>, M.sat>(a));
  }
}

template <CvtType To, CvtType From, Round R, bool Integral>
CvtFunction with_flags(const CvtSpec& spec) {
  constexpr bool kNarrowsToHalf = Traits<To>::kHalf && From == CvtType::kF32;
  if constexpr (kNarrowsToHalf) {
    if (spec.relu && spec.satfinite) {
      return convert<To, From, Modes{R, false, false, false, true, true}>;
    }
    if (spec.relu) return convert<To, From, Modes{R, false, false, false, true, false}>;
    if (spec.satfinite) return convert<To, From, Modes{R, false, false, false, false, true}>;
  } else if (spec.relu || spec.satfinite) {
    return nullptr;
  }
  constexpr bool kMayFlush = To == CvtType::kF32 || From == CvtType::kF32;
  if constexpr (kMayFlush) {
    if (spec.ftz && spec.sat) {
      return convert<To, From, Modes{R, Integral, true, true, false, false}>;
    }
    if (spec.ftz) return convert<To, From, Modes{R, Integral, true, false, false, false}>;
  }
  if (spec.sat) return convert<To, From, Modes{R, Integral, false, true, false, false}>;
  return convert<To, From, Modes{R, Integral, false, false, false, false}>;
}

template <CvtType To, CvtType From>
CvtFunction with_round(const CvtSpec& spec) {
  constexpr Round kRn = Round::kNearest;
  if constexpr (!Traits<To>::kFloat && !Traits<From>::kFloat) {
    return with_flags<To, From, kRn, false>(spec);
  } else if constexpr (To == From) {
    if (!spec.integral) return with_flags<To, From, kRn, false>(spec);
    switch (spec.round) {
      case Round::kNearest:
        return with_flags<To, From, kRn, true>(spec);
      case Round::kZero:
        return with_flags<To, From, Round::kZero, true>(spec);
      case Round::kDown:
        return with_flags<To, From, Round::kDown, true>(spec);
      case Round::kUp:
        return with_flags<To, From, Round::kUp, true>(spec);
    }
  } else {
    switch (spec.round) {
      case Round::kNearest:
        return with_flags<To, From, kRn, false>(spec);
      case Round::kZero:
        return with_flags<To, From, Round::kZero, false>(spec);
      case Round::kDown:
        return with_flags<To, From, Round::kDown, false>(spec);
      case Round::kUp:
        return with_flags<To, From, Round::kUp, false>(spec);
    }
  }
  return nullptr;
}

// Calls Next<T>::find with T bound to `type`.
template <template <CvtType> class Next>
CvtFunction with_type(CvtType type, const CvtSpec& spec) {
  switch (type) {
    case CvtType::kU8:
      return Next<CvtType::kU8>::find(spec);
    case CvtType::kU16:
      return Next<CvtType::kU16>::find(spec);
    case CvtType::kU32:
      return Next<CvtType::kU32>::find(spec);
    case CvtType::kU64:
      return Next<CvtType::kU64>::find(spec);
    case CvtType::kS8:
      return Next<CvtType::kS8>::find(spec);
    case CvtType::kS16:
      return Next<CvtType::kS16>::find(spec);
    case CvtType::kS32:
      return Next<CvtType::kS32>::find(spec);
    case CvtType::kS64:
      return Next<CvtType::kS64>::find(spec);
    case CvtType::kF16:
      return Next<CvtType::kF16>::find(spec);
    case CvtType::kBf16:
      return Next<CvtType::kBf16>::find(spec);
    case CvtType::kF32:
      return Next<CvtType::kF32>::find(spec);
    case CvtType::kF64:
      return Next<CvtType::kF64>::find(spec);
  }
  return nullptr;
}

template <CvtType To>
struct FromAny {
  template <CvtType From>
  struct Pair {
    static CvtFunction find(const CvtSpec& spec) { return with_round<To, From>(spec); }
  };
  static CvtFunction find(const CvtSpec& spec) { return with_type<Pair>(spec.from, spec); }
};

}  // namespace

CvtFunction find_cvt(const CvtSpec& spec) {
  const auto byte = [](CvtType type) { return type == CvtType::kU8 || type == CvtType::kS8; };
  const bool bytes = byte(spec.to) || byte(spec.from);
  const bool bf16 = spec.to == CvtType::kBf16 || spec.from == CvtType::kBf16;
  return bytes && bf16 ? nullptr : with_type<FromAny>(spec.to, spec);
}

}  // namespace lockstep::emulator::num
