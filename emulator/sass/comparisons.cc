// SPDX-License-Identifier: Apache-2.0
// Integers compared: predicates, choices, the lesser and the greater.
#include <utility>

#include "emulator/numerics/integer.h"
#include "emulator/sass/alu.h"
#include "emulator/sass/semantics.h"

namespace lockstep::emulator::sass {
namespace {

#define LOCKSTEP_SASS_RELATIONS(FUNCTION, TYPE)               \
  if (b.has("LT")) return comparison<&FUNCTION<TYPE, kLt>>(); \
  if (b.has("EQ")) return comparison<&FUNCTION<TYPE, kEq>>(); \
  if (b.has("LE")) return comparison<&FUNCTION<TYPE, kLe>>(); \
  if (b.has("GT")) return comparison<&FUNCTION<TYPE, kGt>>(); \
  if (b.has("NE")) return comparison<&FUNCTION<TYPE, kNe>>(); \
  if (b.has("GE")) return comparison<&FUNCTION<TYPE, kGe>>();

enum Order { kLt, kEq, kLe, kGt, kNe, kGe };
template <class T, Order O>
LOCKSTEP_INLINE bool ordered(T a, T b) {
  if constexpr (O == kLt) return a < b;
  if constexpr (O == kEq) return a == b;
  if constexpr (O == kLe) return a <= b;
  if constexpr (O == kGt) return a > b;
  if constexpr (O == kNe) return a != b;
  return a >= b;
}
Run find_comparison(Builder& b, bool uns) {
  if (uns) {
    LOCKSTEP_SASS_RELATIONS(ordered, uint32_t)
  } else {
    LOCKSTEP_SASS_RELATIONS(ordered, int32_t)
  }
  return nullptr;
}

// .EX: the upper words; where they are equal, in[1] (of the lower ones) decides.
struct Extended {
  LOCKSTEP_INLINE static void run(const Op& op, Warp& w, uint32_t on) {
    const uint32_t *a = row(op.source[0], w), *b = row(op.source[1], w);
    const uint32_t low = read(op.in[1], w),
                   equal = lanes_where([&](int i) { return a[i] == b[i]; });
    const bool uns = (op.sub2 & 8) != 0;
    const uint32_t less =
        uns ? lanes_where([&](int i) { return a[i] < b[i]; }) : lanes_where([&](int i) {
          return static_cast<int32_t>(a[i]) < static_cast<int32_t>(b[i]);
        });
    const uint32_t more = ~less & ~equal;
    uint32_t holds = 0;
    switch (op.sub2 & 7) {
      case kLt:
      case kLe:
        holds = less | (equal & low);
        break;
      case kGt:
      case kGe:
        holds = more | (equal & low);
        break;
      case kEq:
        holds = equal & low;
        break;
      default:
        holds = ~equal | low;
        break;
    }
    put_comparison(op, w, on, holds);
  }
};

// Pd, Pe, A, B, Px, Py.
bool prepare_isetp(Builder& b) {
  b.out_predicate(0, 0);
  b.out_predicate(1, 1);
  b.from(0, 2);
  b.from(1, 3);
  b.in_predicate(0, 4);
  b.in_predicate(1, 5);
  if (!find_combination(b)) return false;
  const bool uns = b.has("U32");
  if (!b.has("EX")) {
    const Run run = find_comparison(b, uns);
    return run != nullptr && b.run(run);
  }
  const char* names[] = {"LT", "EQ", "LE", "GT", "NE", "GE"};
  for (uint8_t k = 0; k < 6; ++k)
    if (b.has(names[k])) {
      b.op.sub2 = static_cast<uint8_t>(k | (uns ? 8 : 0));
      return b.run(pick<Extended>());
    }
  return false;
}

// Chooses between A and B lane by lane.
struct Choose {
  LOCKSTEP_INLINE static void run(const Op& op, Warp& w, uint32_t on) {
    const uint32_t *a = row(op.source[0], w), *b = row(op.source[1], w);
    const uint32_t first = read(op.in[0], w);
    each_lane(
        to_row(op, w), on, [&](int i) __attribute__((always_inline)) {
          return (first >> i & 1) != 0 ? a[i] : b[i];
        });
  }
};
struct ChooseWide {
  LOCKSTEP_INLINE static void run(const Op& op, Warp& w, uint32_t on) {
    const In<uint64_t> a(op.source[0], w), b(op.source[1], w);
    const uint32_t first = read(op.in[0], w);
    put<uint64_t>(op, w, on, [&](int i) { return (first >> i & 1) != 0 ? a[i] : b[i]; });
  }
};
// Rd, A, B, P.
bool prepare_sel(Builder& b) {
  if (b.has("FTZ")) return false;
  const int rows = b.has("64") ? 2 : 1;
  b.to(0, rows);
  const Kind kind = b.in.name == "FSEL" ? Kind::kFloat : Kind::kInteger;
  b.from(0, 1, kind, rows);
  b.from(1, 2, kind, rows);
  if (rows == 2) {
    b.in_predicate(0, 3);
    return b.run(pick<ChooseWide>());
  }
  b.in_predicate(0, 3);
  return b.run(pick<Choose>());
}

// The smaller where the predicate holds, else the larger.
template <class T>
struct MinMax {
  LOCKSTEP_INLINE static void run(const Op& op, Warp& w, uint32_t on) {
    const In<T> a(op.source[0], w), b(op.source[1], w);
    const uint32_t least = read(op.in[0], w);
    put<T>(
        op, w, on, [&](int i) __attribute__((always_inline)) {
          const T low = a[i] < b[i] ? a[i] : b[i], high = a[i] < b[i] ? b[i] : a[i];
          return (least >> i & 1) != 0 ? low : high;
        });
  }
};
// .RELU: what is negative becomes 0.
template <class T>
struct MinMaxNone {
  LOCKSTEP_INLINE static void run(const Op& op, Warp& w, uint32_t on) {
    const In<T> a(op.source[0], w), b(op.source[1], w);
    const uint32_t least = read(op.in[0], w);
    put<T>(op, w, on, [&](int i) {
      const T value = ((least >> i & 1) != 0) == (a[i] < b[i]) ? a[i] : b[i];
      return value < 0 ? T{0} : value;
    });
  }
};
template <class T>
uint32_t chosen_half(uint32_t a, uint32_t b, bool least, bool relu) {
  const auto x = static_cast<T>(a), y = static_cast<T>(b);
  T value = least == (x < y) ? x : y;
  if (relu && value < 0) value = 0;
  return static_cast<uint16_t>(value);
}
template <class T>
struct MinMaxHalves {
  LOCKSTEP_INLINE static void run(const Op& op, Warp& w, uint32_t on) {
    const uint32_t *a = row(op.source[0], w), *b = row(op.source[1], w);
    const uint32_t which = read(op.in[0], w);
    each_lane(to_row(op, w), on, [&](int i) {
      const bool least = (which >> i & 1) != 0, relu = op.sub != 0;
      return chosen_half<T>(a[i], b[i], least, relu) |
             chosen_half<T>(a[i] >> 16, b[i] >> 16, least, relu) << 16;
    });
  }
};
// Rd, A, B, C, P: of three.
template <class T>
struct MinMax3 {
  LOCKSTEP_INLINE static void run(const Op& op, Warp& w, uint32_t on) {
    const In<T> a(op.source[0], w), b(op.source[1], w), c(op.source[2], w);
    const uint32_t which = read(op.in[0], w);
    put<T>(op, w, on, [&](int i) {
      const bool least = (which >> i & 1) != 0;
      const T first = least == (a[i] < b[i]) ? a[i] : b[i];
      return least == (first < c[i]) ? first : T{c[i]};
    });
  }
};
template <class T>
struct MinMax3Halves {
  LOCKSTEP_INLINE static void run(const Op& op, Warp& w, uint32_t on) {
    const uint32_t *a = row(op.source[0], w), *b = row(op.source[1], w), *c = row(op.source[2], w);
    const uint32_t which = read(op.in[0], w);
    const bool relu = op.sub != 0;
    each_lane(to_row(op, w), on, [&](int i) {
      const bool least = (which >> i & 1) != 0;
      const auto half = [&](int at) {
        const uint32_t first = chosen_half<T>(a[i] >> at, b[i] >> at, least, false);
        return chosen_half<T>(first, c[i] >> at, least, relu) << at;
      };
      return half(0) | half(16);
    });
  }
};
bool prepare_vimnmx3(Builder& b) {
  b.to(0);
  for (int k = 0; k < 3; ++k) b.from(k, 1 + k);
  b.in_predicate(0, 4);
  b.op.sub = b.has("RELU");
  if (b.has("U16x2")) return b.run(pick<MinMax3Halves<uint16_t>>());
  if (b.has("S16x2")) return b.run(pick<MinMax3Halves<int16_t>>());
  if (b.op.sub != 0) return false;
  return b.run(b.has("U32") ? pick<MinMax3<uint32_t>>() : pick<MinMax3<int32_t>>());
}

// Rd, A, B, P (VIMNMX: two predicates after Rd).
bool prepare_imnmx(Builder& b) {
  const int first = b.in.name == "IMNMX" ? 1 : 3;
  if (first == 3 && (b.operand(1).index != kTruePredicate || b.operand(2).index != kTruePredicate))
    return false;
  b.to(0);
  b.from(0, first);
  b.from(1, first + 1);
  b.in_predicate(0, first + 2);
  b.op.sub = b.has("RELU");
  if (b.has("U16x2")) return b.run(pick<MinMaxHalves<uint16_t>>());
  if (b.has("S16x2")) return b.run(pick<MinMaxHalves<int16_t>>());
  if (b.op.sub != 0) return b.has("U32") ? false : b.run(pick<MinMaxNone<int32_t>>());
  return b.run(b.has("U32") ? pick<MinMax<uint32_t>>() : pick<MinMax<int32_t>>());
}

template <class T>
struct AddMinMax {
  LOCKSTEP_INLINE static void run(const Op& op, Warp& w, uint32_t on) {
    const uint32_t *a = row(op.source[0], w), *b = row(op.source[1], w);
    const In<T> c(op.source[2], w);
    const uint32_t least = read(op.in[0], w);
    put<T>(
        op, w, on, [&](int i) __attribute__((always_inline)) {
          const T sum = static_cast<T>(a[i] + b[i]);
          const T low = sum < c[i] ? sum : c[i], high = sum < c[i] ? c[i] : sum;
          T value = (least >> i & 1) != 0 ? low : high;
          if (op.sub != 0 && static_cast<int32_t>(value) < 0) value = 0;
          return value;
        });
  }
};
// Each half wraps; Op::sub2: of B the halves are negated.
template <class T>
struct AddMinMaxHalves {
  LOCKSTEP_INLINE static void run(const Op& op, Warp& w, uint32_t on) {
    const uint32_t *a = row(op.source[0], w), *b = row(op.source[1], w), *c = row(op.source[2], w);
    const uint32_t which = read(op.in[0], w);
    const bool minus = op.sub2 != 0, relu = op.sub != 0;
    each_lane(to_row(op, w), on, [&](int i) {
      const bool least = (which >> i & 1) != 0;
      const auto half = [&](int at) {
        const uint32_t x = a[i] >> at, y = b[i] >> at;
        return chosen_half<T>(minus ? x - y : x + y, c[i] >> at, least, relu) << at;
      };
      return half(0) | half(16);
    });
  }
};
// Rd, A, B, C, P: min or max of A + B and C.
bool prepare_viaddmnmx(Builder& b) {
  const bool of_halves = b.has("U16x2") || b.has("S16x2");
  b.to(0);
  Operand second = b.operand(2);
  if (of_halves) b.op.sub2 = std::exchange(second.negated, false);
  b.from(0, 1);
  b.from(1, second);
  b.from(2, 3);
  b.in_predicate(0, 4);
  b.op.sub = b.has("RELU");
  if (b.has("U16x2")) return b.run(pick<AddMinMaxHalves<uint16_t>>());
  if (b.has("S16x2")) return b.run(pick<AddMinMaxHalves<int16_t>>());
  return b.run(b.has("U32") ? pick<AddMinMax<uint32_t>>() : pick<AddMinMax<int32_t>>());
}

}  // namespace

bool find_combination(Builder& b) {
  b.op.sub = b.has("OR") ? 1 : b.has("XOR") ? 2 : 0;
  return b.has("AND") || b.op.sub != 0;
}

const std::vector<Semantics>& comparison_semantics() {
  static const std::vector<Semantics> all = {
      {"ISETP", &prepare_isetp},     {"UISETP", &prepare_isetp},
      {"SEL", &prepare_sel},         {"USEL", &prepare_sel},
      {"FSEL", &prepare_sel},        {"VIMNMX", &prepare_imnmx},
      {"IMNMX", &prepare_imnmx},     {"VIADDMNMX", &prepare_viaddmnmx},
      {"VIMNMX3", &prepare_vimnmx3}, {"UVIMNMX", &prepare_imnmx},
  };
  return all;
}

}  // namespace lockstep::emulator::sass
