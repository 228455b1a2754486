// SPDX-License-Identifier: Apache-2.0
// f32 and f64.
#include <algorithm>
#include <bit>
#include <iterator>
#include <string_view>
#include <utility>

#include "emulator/numerics/bits.h"
#include "emulator/numerics/compare.h"
#include "emulator/numerics/float32.h"
#include "emulator/numerics/float64.h"
#include "emulator/numerics/modes.h"
#include "emulator/sass/alu.h"
#include "emulator/sass/semantics.h"

namespace lockstep::emulator::sass {
namespace {

using num::Compare;
using num::Round;

// f32 with the flags .FTZ and .SAT: f(round, ftz, sat), all constants.
template <class F>
Run with_modes(const Builder& b, F f) {
  return num::with_round(rounding(b), [&](auto r) {
    return num::with_flags([&](auto z, auto s) { return f(r, z, s); }, b.has("FTZ"), b.has("SAT"));
  });
}
Run find_add(const Builder& b) {
  return with_modes(b, [](auto r, auto z, auto s) { return alu<&num::add_f32<r, z, s>>(); });
}
Run find_subtract(const Builder& b) {
  return with_modes(b, [](auto r, auto z, auto s) { return alu<&num::sub_f32<r, z, s>>(); });
}
Run find_multiply(const Builder& b) {
  return with_modes(b, [](auto r, auto z, auto s) { return alu<&num::mul_f32<r, z, s>>(); });
}
Run find_fused(const Builder& b) {
  return with_modes(b, [](auto r, auto z, auto s) {
    return alu<&num::fma_f32<r, z, s, false>, &num::fma_f32<r, z, s, true>>();
  });
}

bool operands(Builder& b, int count, Kind kind, int rows) {
  b.to(0, rows);
  for (int k = 0; k < count; ++k) b.from(k, 1 + k, kind, rows);
  return true;
}

bool prepare_fadd(Builder& b) {
  const auto negated = [&](int i) {
    const Operand& o = b.operand(i);
    return o.kind == OperandKind::kRegister && o.negated && !o.absolute;
  };
  if (negated(1) == negated(2)) return operands(b, 2, Kind::kFloat, 1) && b.run(find_add(b));
  Operand taken = b.operand(negated(1) ? 1 : 2);
  taken.negated = false;
  b.to(0);
  b.from(0, negated(1) ? 2 : 1, Kind::kFloat);
  b.from(1, taken, Kind::kFloat);
  return b.run(find_subtract(b));
}
// a * b times a power of two, rounded once: as a double it is exact.
template <bool Ftz>
struct ScaledMultiply {
  LOCKSTEP_INLINE static void run(const Op& op, Warp& w, uint32_t on) {
    const In<uint32_t> a(op.source[0], w), b(op.source[1], w);
    const double scale = std::bit_cast<double>(op.value);
    put<uint32_t>(
        op, w, on, [&](int i) __attribute__((always_inline)) {
          const double x = num::as_f32(num::flush_if<Ftz>(a[i]));
          const double y = num::as_f32(num::flush_if<Ftz>(b[i]));
          const double product = x * y * scale;
          if (product != product) return num::kNan32;
          return num::finish32<Ftz, false>(static_cast<float>(product));
        });
  }
};
bool prepare_fmul(Builder& b) {
  constexpr std::pair<std::string_view, double> kScales[] = {
      {"D8", 0.125}, {"D4", 0.25}, {"D2", 0.5}, {"M2", 2}, {"M4", 4}, {"M8", 8}};
  double scale = 1;
  bool plain = true;  // rounded to the nearest, not saturated
  for (int k = 0; k < b.in.modifier_count; ++k) {
    const std::string_view m = b.in.modifiers[static_cast<size_t>(k)];
    const auto at = std::find_if(std::begin(kScales), std::end(kScales),
                                 [&](const auto& one) { return one.first == m; });
    if (at != std::end(kScales))
      scale = at->second;
    else if (m != "FTZ" && m != "SAT" && m != "RM" && m != "RP" && m != "RZ")
      return false;
    else
      plain &= m == "FTZ";
  }
  if (!operands(b, 2, Kind::kFloat, 1)) return false;
  if (scale == 1) return b.run(find_multiply(b));
  b.op.value = std::bit_cast<int64_t>(scale);
  return plain &&
         b.run(b.has("FTZ") ? pick<ScaledMultiply<true>>() : pick<ScaledMultiply<false>>());
}
bool prepare_ffma(Builder& b) {
  return !b.has("FMZ") && operands(b, 3, Kind::kFloat, 1) && b.run(find_fused(b));
}

// Rd, A, B, P: the smaller where it holds. .NAN: any NaN gives NaN.
template <bool Ftz, bool Nan, bool XorSign = false>
struct FloatMinMax {
  LOCKSTEP_INLINE static void run(const Op& op, Warp& w, uint32_t on) {
    const In<uint32_t> a(op.source[0], w), b(op.source[1], w);
    const uint32_t least = read(op.in[0], w);
    put<uint32_t>(
        op, w, on, [&](int i) __attribute__((always_inline)) {
          const uint32_t low = num::min_f32<Ftz, Nan, XorSign>(a[i], b[i]);
          const uint32_t high = num::max_f32<Ftz, Nan, XorSign>(a[i], b[i]);
          return (least >> i & 1) != 0 ? low : high;
        });
  }
};
bool prepare_fmnmx(Builder& b) {
  const bool ftz = b.has("FTZ"), nan = b.has("NAN");
  if (b.has("XORSIGN")) {  // of magnitudes, though |A| and |B| are written
    b.to(0);
    for (int k = 0; k < 2; ++k) {
      Operand o = b.operand(1 + k);
      if (!o.absolute || o.negated) return false;
      o.absolute = false;
      b.from(k, o, Kind::kFloat);
    }
    b.in_predicate(0, 3);
    return b.run(
        ftz ? (nan ? pick<FloatMinMax<true, true, true>>() : pick<FloatMinMax<true, false, true>>())
            : (nan ? pick<FloatMinMax<false, true, true>>()
                   : pick<FloatMinMax<false, false, true>>()));
  }
  operands(b, 2, Kind::kFloat, 1);
  b.in_predicate(0, 3);
  return b.run(ftz ? (nan ? pick<FloatMinMax<true, true>>() : pick<FloatMinMax<true, false>>())
                   : (nan ? pick<FloatMinMax<false, true>>() : pick<FloatMinMax<false, false>>()));
}

// Rd, A, B, C, P: of three.
template <bool Ftz, bool Nan>
struct FloatMinMax3 {
  LOCKSTEP_INLINE static void run(const Op& op, Warp& w, uint32_t on) {
    const In<uint32_t> a(op.source[0], w), b(op.source[1], w), c(op.source[2], w);
    const uint32_t least = read(op.in[0], w);
    put<uint32_t>(op, w, on, [&](int i) {
      if ((least >> i & 1) != 0)
        return num::min_f32<Ftz, Nan>(num::min_f32<Ftz, Nan>(a[i], b[i]), c[i]);
      return num::max_f32<Ftz, Nan>(num::max_f32<Ftz, Nan>(a[i], b[i]), c[i]);
    });
  }
};
bool prepare_fmnmx3(Builder& b) {
  operands(b, 3, Kind::kFloat, 1);
  b.in_predicate(0, 4);
  const bool ftz = b.has("FTZ"), nan = b.has("NAN");
  return b.run(
      ftz ? (nan ? pick<FloatMinMax3<true, true>>() : pick<FloatMinMax3<true, false>>())
          : (nan ? pick<FloatMinMax3<false, true>>() : pick<FloatMinMax3<false, false>>()));
}

template <Compare C, bool Ftz>
bool compare32(uint32_t a, uint32_t b) {
  return num::compare_f32<C, Ftz>(a, b);
}
template <Compare C>
bool compare64(uint64_t a, uint64_t b) {
  return num::compare_f64<C>(a, b);
}
bool always(uint32_t, uint32_t) { return true; }
bool never(uint32_t, uint32_t) { return false; }

struct Relation {
  const char* name;
  Run plain, ftz, wide;
};
template <Compare C>
Relation relation(const char* name) {
  return {name, comparison<&compare32<C, false>>(), comparison<&compare32<C, true>>(),
          comparison<&compare64<C>>()};
}
const std::vector<Relation>& relations() {
  static const std::vector<Relation> all = {
      relation<Compare::kLt>("LT"),
      relation<Compare::kEq>("EQ"),
      relation<Compare::kLe>("LE"),
      relation<Compare::kGt>("GT"),
      relation<Compare::kNe>("NE"),
      relation<Compare::kGe>("GE"),
      relation<Compare::kNum>("NUM"),
      relation<Compare::kNan>("NAN"),
      relation<Compare::kLtu>("LTU"),
      relation<Compare::kEqu>("EQU"),
      relation<Compare::kLeu>("LEU"),
      relation<Compare::kGtu>("GTU"),
      relation<Compare::kNeu>("NEU"),
      relation<Compare::kGeu>("GEU"),
      {"T", comparison<&always>(), comparison<&always>(), comparison<&always>()},
      {"F", comparison<&never>(), comparison<&never>(), comparison<&never>()},
  };
  return all;
}

// DSETP.MAX and .MIN, of fmax and fmin: the first predicate chooses A, the second makes B's NaN
// quiet: both are NaN.
template <bool Max>
struct ChooseMinMax {
  LOCKSTEP_INLINE static void run(const Op& op, Warp& w, uint32_t on) {
    const In<uint64_t> a(op.source[0], w), b(op.source[1], w);
    constexpr uint64_t kInfinity = 0x7ff0000000000000, kSize = ~uint64_t{0} >> 1;
    const uint32_t nan_a = lanes_where([&](int i) { return (a[i] & kSize) > kInfinity; });
    const uint32_t nan_b = lanes_where([&](int i) { return (b[i] & kSize) > kInfinity; });
    const uint32_t wanted = lanes_where([&](int i) {
      const int64_t x = num::float_order(a[i]), y = num::float_order(b[i]);
      return Max ? x >= y : x <= y;
    });
    const uint32_t with = read(op.in[0], w);
    write_predicate(w, op.out[0], combined(op.sub, ~nan_a & (nan_b | wanted), with), on);
    write_predicate(w, op.out[1], combined(op.sub, nan_a & nan_b, with), on);
  }
};

// Pd, Pe, A, B, Px.
bool prepare_setp(Builder& b) {
  const bool wide = b.in.name == "DSETP";
  b.out_predicate(0, 0);
  b.out_predicate(1, 1);
  b.from(0, 2, wide ? Kind::kDouble : Kind::kFloat, wide ? 2 : 1);
  b.from(1, 3, wide ? Kind::kDouble : Kind::kFloat, wide ? 2 : 1);
  b.in_predicate(0, 4);
  if (!find_combination(b)) return false;
  if (wide && b.has("MAX")) return b.run(pick<ChooseMinMax<true>>());
  if (wide && b.has("MIN")) return b.run(pick<ChooseMinMax<false>>());
  for (const Relation& r : relations())
    if (b.in.modifiers[0] == r.name) return b.run(wide ? r.wide : b.has("FTZ") ? r.ftz : r.plain);
  return false;
}

// A register of ones, or 1.0 with .BF, where the comparison holds. Rd, A, B, Px.
struct FloatSet {
  static void run(const Op& op, Warp& w, uint32_t on) {
    Op compare = op;
    const uint32_t kept = w.predicates[14];
    compare.out[0] = 14;
    const Relation& relation = relations()[op.sub2];
    (op.flags != 0 ? relation.ftz : relation.plain)(compare, w, on);
    const uint32_t holds = w.predicates[14];
    w.predicates[14] = kept;
    const auto one = static_cast<uint32_t>(op.value);
    each_lane(to_row(op, w), on, [&](int i) { return (holds >> i & 1) != 0 ? one : 0; });
  }
};
bool prepare_fset(Builder& b) {
  b.op.flags = b.has("FTZ");
  b.to(0);
  b.from(0, 1, Kind::kFloat);
  b.from(1, 2, Kind::kFloat);
  b.in_predicate(0, 3);
  if (!find_combination(b)) return false;
  b.op.value = b.has("BF") ? 0x3f800000 : 0xffffffff;
  for (size_t k = 0; k < relations().size(); ++k)
    if (b.has(relations()[k].name)) {
      b.op.sub2 = static_cast<uint8_t>(k);
      return b.run(&FloatSet::run);
    }
  return false;
}

// Whether a division leaves the short path, which scales neither operand: that holds while the
// exponents of divisor and quotient stay clear of both ends of the range. (That a dividend of zero
// is checked for as well was seen on an H200.)
bool needs_check(uint32_t a, uint32_t b) {
  const int x = static_cast<int>(a >> 23 & 0xff), y = static_cast<int>(b >> 23 & 0xff),
            quotient = x - y;
  return y == 0 || y >= 253 || x == 255 || x < 25 || quotient > 124 || quotient < -124;
}
struct CheckDivision {
  static void run(const Op& op, Warp& w, uint32_t on) {
    const uint32_t *a = row(op.source[0], w), *b = row(op.source[1], w);
    uint32_t slow = 0;
    for (int i = 0; i < 32; ++i) slow |= static_cast<uint32_t>(needs_check(a[i], b[i])) << i;
    write_predicate(w, op.out[0], slow, on);
  }
};
bool prepare_fchk(Builder& b) {
  b.out_predicate(0, 0);
  b.from(0, 1, Kind::kFloat);
  b.from(1, 2, Kind::kFloat);
  return b.run(&CheckDivision::run);
}

Run find_dadd(const Builder& b) {
  return num::with_round(rounding(b), [](auto r) { return alu<&num::add_f64<r>>(); });
}
Run find_dmul(const Builder& b) {
  return num::with_round(rounding(b), [](auto r) { return alu<&num::mul_f64<r>>(); });
}
Run find_dfma(const Builder& b) {
  return num::with_round(rounding(b), [](auto r) { return alu<&num::fma_f64<r>>(); });
}
bool prepare_dadd(Builder& b) { return operands(b, 2, Kind::kDouble, 2) && b.run(find_dadd(b)); }
bool prepare_dmul(Builder& b) { return operands(b, 2, Kind::kDouble, 2) && b.run(find_dmul(b)); }
bool prepare_dfma(Builder& b) { return operands(b, 3, Kind::kDouble, 2) && b.run(find_dfma(b)); }

}  // namespace

const std::vector<Semantics>& float_semantics() {
  static const std::vector<Semantics> all = {
      {"FADD", &prepare_fadd},   {"FMUL", &prepare_fmul},  {"FFMA", &prepare_ffma},
      {"FMNMX", &prepare_fmnmx}, {"FSETP", &prepare_setp}, {"DSETP", &prepare_setp},
      {"FSET", &prepare_fset},   {"FCHK", &prepare_fchk},  {"FMNMX3", &prepare_fmnmx3},
      {"UFFMA", &prepare_ffma},  {"DADD", &prepare_dadd},  {"DMUL", &prepare_dmul},
      {"DFMA", &prepare_dfma},
  };
  return all;
}

}  // namespace lockstep::emulator::sass
