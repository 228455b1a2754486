// SPDX-License-Identifier: Apache-2.0
// Arithmetic on pairs of halves.
#include "emulator/numerics/convert.h"
#include "emulator/numerics/half.h"
#include "emulator/numerics/modes.h"
#include "emulator/sass/alu.h"
#include "emulator/sass/semantics.h"

namespace lockstep::emulator::sass {
namespace {

using num::Bf16;
using num::F16;

// Which half of a source stands for which half of the result: Op::flags, two bits a source: 0 both
// in place, 1 the lower for both, 2 the upper for both.
uint32_t selected(uint32_t word, int how) {
  if (how == 1) return (word & 0xffff) * 0x10001u;
  return how == 2 ? (word >> 16) * 0x10001u : word;
}
int part_of(const Operand& o) { return o.part == "H0_H0" ? 1 : o.part == "H1_H1" ? 2 : 0; }

using Halves = uint16_t (*)(uint16_t, uint16_t, uint16_t);
struct OfHalves {
  static void run(const Op& op, Warp& w, uint32_t on) {
    const auto function = reinterpret_cast<Halves>(static_cast<uintptr_t>(op.value));
    const uint32_t *a = row(op.source[0], w), *b = row(op.source[1], w), *c = row(op.source[2], w);
    uint32_t* d = to_row(op, w);
    for (uint32_t rest = on; rest != 0; rest &= rest - 1) {
      const int i = __builtin_ctz(rest);
      const uint32_t x = selected(a[i], op.flags & 3), y = selected(b[i], op.flags >> 2 & 3);
      const uint32_t z = selected(c[i], op.flags >> 4 & 3);
      const uint32_t low =
          function(static_cast<uint16_t>(x), static_cast<uint16_t>(y), static_cast<uint16_t>(z));
      const uint32_t high = function(static_cast<uint16_t>(x >> 16), static_cast<uint16_t>(y >> 16),
                                     static_cast<uint16_t>(z >> 16));
      d[i] = low | high << 16;
    }
  }
};
template <class Format, bool Ftz, bool Sat>
uint16_t add(uint16_t a, uint16_t b, uint16_t) {
  return num::add_half<Format, Ftz, Sat>(a, b);
}
template <class Format, bool Ftz, bool Sat>
uint16_t multiply(uint16_t a, uint16_t b, uint16_t) {
  return num::mul_half<Format, Ftz, Sat>(a, b);
}
template <class Format, bool Ftz, bool Sat>
uint16_t fused(uint16_t a, uint16_t b, uint16_t c) {
  return num::fma_half<Format, Ftz, Sat>(a, b, c);
}
template <class Format, bool Ftz>
uint16_t fused_relu(uint16_t a, uint16_t b, uint16_t c) {
  return num::fma_half<Format, Ftz, false, true>(a, b, c);
}

int take(Builder& b, int slot, int i) {
  const Operand& o = b.operand(i);
  b.from(slot, o, Kind::kHalves);
  b.op.flags |= static_cast<uint16_t>(part_of(o) << (2 * slot));
  return i + 1;
}

template <class Format, bool Ftz, bool Sat>
Halves find_halves(std::string_view name) {
  if (name == "HADD2") return &add<Format, Ftz, Sat>;
  return name == "HMUL2" ? &multiply<Format, Ftz, Sat> : &fused<Format, Ftz, Sat>;
}
template <class Format>
Halves find_halves(const Builder& b, std::string_view name) {
  const bool ftz = b.has("FTZ"), sat = b.has("SAT");
  if (b.has("RELU"))
    return sat ? nullptr : ftz ? &fused_relu<Format, true> : &fused_relu<Format, false>;
  if (ftz)
    return sat ? find_halves<Format, true, true>(name) : find_halves<Format, true, false>(name);
  return sat ? find_halves<Format, false, true>(name) : find_halves<Format, false, false>(name);
}

// HADD2.F32: one half, widened. It is how a half becomes an f32: -RZ + A.
struct Widen {
  static void run(const Op& op, Warp& w, uint32_t on) {
    const uint32_t* b = row(op.source[1], w);
    each_lane(to_row(op, w), on, [&](int i) {
      return num::f32_from_half<F16>(static_cast<uint16_t>(selected(b[i], op.flags >> 2 & 3)));
    });
  }
};

// HFMA2.MMA R, -RZ, RZ, x, y moves a literal: its halves keep their bits.
void literal(const Op& op, Warp& w, uint32_t on) {
  const auto value = static_cast<uint32_t>(op.value);
  each_lane(to_row(op, w), on, [&](int) { return value; });
}
bool is_zero(const Operand& o) {
  return o.kind == OperandKind::kRegister && o.index == kZeroRegister;
}

// Rd, A, B (, C).
bool prepare_halves(Builder& b) {
  if (b.has("FMZ")) return false;
  b.to(0);
  const std::string_view name = b.in.name;
  const bool third = name == "HFMA2";
  // The predicate of .RELU: it is not known what another than PT does.
  if (third && b.has("RELU") && (b.operand(4).index != kTruePredicate || b.operand(4).inverted))
    return false;
  if (third && is_zero(b.operand(1)) && is_zero(b.operand(2)) && b.operand(1).negated &&
      b.operand(3).kind == OperandKind::kImmediate && !b.has("RELU") && !b.has("SAT") &&
      !b.has("FTZ")) {
    b.op.value = b.operand(3).value;
    return b.run(&literal);
  }
  int next = take(b, 0, 1);
  next = take(b, 1, next);
  if (third) take(b, 2, next);
  if (!third) b.op.source[2] = b.op.source[1];
  if (b.has("F32")) {
    const Operand& zero = b.operand(1);
    return name == "HADD2" && !b.has("SAT") && !b.has("FTZ") && is_zero(zero) && zero.negated &&
           b.run(&Widen::run);
  }
  const bool bf16 = b.has("BF16_V2") || b.has("BF16");
  const Halves function = bf16 ? find_halves<Bf16>(b, name) : find_halves<F16>(b, name);
  b.op.value = static_cast<int64_t>(reinterpret_cast<uintptr_t>(function));
  return function != nullptr && b.run(&OfHalves::run);
}

using HalfRelation = bool (*)(uint16_t, uint16_t);
template <class Format, num::Compare C, bool Ftz = false>
bool holds(uint16_t a, uint16_t b) {
  return num::compare_half<Format, C, Ftz>(a, b);
}
struct NamedRelation {
  const char* name;
  HalfRelation f16, bf16, ftz;
};
#define LOCKSTEP_SASS_HALF(NAME, C)                                    \
  {                                                                    \
    NAME, &holds<F16, num::Compare::C>, &holds<Bf16, num::Compare::C>, \
        &holds<F16, num::Compare::C, true>                             \
  }
constexpr NamedRelation kRelations[] = {
    LOCKSTEP_SASS_HALF("LT", kLt),   LOCKSTEP_SASS_HALF("EQ", kEq),
    LOCKSTEP_SASS_HALF("LE", kLe),   LOCKSTEP_SASS_HALF("GT", kGt),
    LOCKSTEP_SASS_HALF("NE", kNe),   LOCKSTEP_SASS_HALF("GE", kGe),
    LOCKSTEP_SASS_HALF("NUM", kNum), LOCKSTEP_SASS_HALF("NAN", kNan),
    LOCKSTEP_SASS_HALF("LTU", kLtu), LOCKSTEP_SASS_HALF("EQU", kEqu),
    LOCKSTEP_SASS_HALF("LEU", kLeu), LOCKSTEP_SASS_HALF("GTU", kGtu),
    LOCKSTEP_SASS_HALF("NEU", kNeu), LOCKSTEP_SASS_HALF("GEU", kGeu)};

// Lanes for which the comparison holds in the lower and in the upper half.
struct Holding {
  uint32_t low = 0, high = 0;
};
Holding compare_halves(const Op& op, const Warp& w) {
  const auto function = reinterpret_cast<HalfRelation>(static_cast<uintptr_t>(op.value));
  const uint32_t *a = row(op.source[0], w), *b = row(op.source[1], w);
  Holding h;
  for (int i = 0; i < 32; ++i) {
    const uint32_t x = selected(a[i], op.flags & 3), y = selected(b[i], op.flags >> 2 & 3);
    h.low |= static_cast<uint32_t>(function(static_cast<uint16_t>(x), static_cast<uint16_t>(y)))
             << i;
    h.high |= static_cast<uint32_t>(
                  function(static_cast<uint16_t>(x >> 16), static_cast<uint16_t>(y >> 16)))
              << i;
  }
  return h;
}

// Both halves compared: out[0] of the lower, out[1] of the upper; .H_AND: of both, and its
// opposite.
struct CompareHalves {
  static void run(const Op& op, Warp& w, uint32_t on) {
    Holding h = compare_halves(op, w);
    if (op.sub2 != 0) h = {h.low & h.high, ~(h.low & h.high)};
    const uint32_t with = read(op.in[0], w);
    write_predicate(w, op.out[0], combined(op.sub, h.low, with), on);
    write_predicate(w, op.out[1], combined(op.sub, h.high, with), on);
  }
};
// HSET2: of either half all bits, or 1 with .BF, where it holds.
struct SetHalves {
  static void run(const Op& op, Warp& w, uint32_t on) {
    const Holding h = compare_halves(op, w);
    const uint32_t with = read(op.in[0], w);
    const uint32_t low = combined(op.sub, h.low, with), high = combined(op.sub, h.high, with);
    const uint32_t one = op.sub2 != 0 ? 0x3c00 : 0xffff;
    each_lane(to_row(op, w), on,
              [&](int i) { return (low >> i & 1) * one | (high >> i & 1) * one << 16; });
  }
};
HalfRelation find_relation(const Builder& b) {
  const bool bf16 = b.has("BF16_V2"), ftz = b.has("FTZ");
  if (bf16 && ftz) return nullptr;
  for (const NamedRelation& r : kRelations)
    if (b.has(r.name)) return bf16 ? r.bf16 : ftz ? r.ftz : r.f16;
  return nullptr;
}
// Pd, Pe, A, B, Px. HSET2: Rd, A, B, Px.
bool prepare_hsetp2(Builder& b) {
  const bool to_register = b.in.name == "HSET2";
  int next = 2;
  if (to_register) {
    if (b.has("BF16_V2")) return false;
    b.to(0);
    next = 1;
    b.op.sub2 = b.has("BF");
  } else {
    b.out_predicate(0, 0);
    b.out_predicate(1, 1);
    b.op.sub2 = b.has("H_AND");
  }
  next = take(b, 0, next);
  next = take(b, 1, next);
  b.in_predicate(0, next);
  const HalfRelation function = find_relation(b);
  if (!find_combination(b) || function == nullptr) return false;
  b.op.value = static_cast<int64_t>(reinterpret_cast<uintptr_t>(function));
  return b.run(to_register ? &SetHalves::run : &CompareHalves::run);
}

// Op::sub: of three.
template <class Format, bool Ftz, bool Nan, bool XorSign>
struct HalfMinMax {
  static void run(const Op& op, Warp& w, uint32_t on) {
    const uint32_t *a = row(op.source[0], w), *b = row(op.source[1], w), *c = row(op.source[2], w);
    const uint32_t least = read(op.in[0], w);
    each_lane(to_row(op, w), on, [&](int i) {
      const uint32_t x = selected(a[i], op.flags & 3), y = selected(b[i], op.flags >> 2 & 3);
      const auto one = [&](uint16_t p, uint16_t q) -> uint32_t {
        return (least >> i & 1) != 0 ? num::minmax_half<Format, false, Ftz, Nan, XorSign>(p, q)
                                     : num::minmax_half<Format, true, Ftz, Nan, XorSign>(p, q);
      };
      const auto both = [&](uint32_t p, uint32_t q) {
        return one(static_cast<uint16_t>(p), static_cast<uint16_t>(q)) |
               one(static_cast<uint16_t>(p >> 16), static_cast<uint16_t>(q >> 16)) << 16;
      };
      const uint32_t of_two = both(x, y);
      return op.sub == 0 ? of_two : both(of_two, selected(c[i], op.flags >> 4 & 3));
    });
  }
};
template <class Format, bool Ftz>
Run find_half_minmax(const Builder& b) {
  const bool nan = b.has("NAN");
  if (b.has("XORSIGN"))
    return nan ? &HalfMinMax<Format, Ftz, true, true>::run
               : &HalfMinMax<Format, Ftz, false, true>::run;
  return nan ? &HalfMinMax<Format, Ftz, true, false>::run
             : &HalfMinMax<Format, Ftz, false, false>::run;
}
// Rd, A, B, P; VHMNMX: Rd, A, B, C, P. .XORSIGN: of magnitudes, though |A| and |B| are written.
bool prepare_hmnmx2(Builder& b) {
  b.to(0);
  b.op.sub = b.in.name == "VHMNMX";
  const int sources = b.op.sub != 0 ? 3 : 2;
  if (b.op.sub != 0 && b.has("XORSIGN")) return false;
  b.from(2, b.operand(1));
  for (int k = 0; k < sources; ++k) {
    Operand o = b.operand(1 + k);
    if (b.has("XORSIGN")) {
      if (!o.absolute || o.negated) return false;
      o.absolute = false;
    }
    b.from(k, o, Kind::kHalves);
    b.op.flags |= static_cast<uint16_t>(part_of(o) << (2 * k));
  }
  b.in_predicate(0, 1 + sources);
  if (b.has("BF16_V2")) return b.has("FTZ") ? false : b.run(find_half_minmax<Bf16, false>(b));
  return b.run(b.has("FTZ") ? find_half_minmax<F16, true>(b) : find_half_minmax<F16, false>(b));
}

}  // namespace

const std::vector<Semantics>& half_semantics() {
  static const std::vector<Semantics> all = {
      {"HADD2", &prepare_halves},  {"HMUL2", &prepare_halves},  {"HFMA2", &prepare_halves},
      {"HSETP2", &prepare_hsetp2}, {"HMNMX2", &prepare_hmnmx2}, {"HSET2", &prepare_hsetp2},
      {"VHMNMX", &prepare_hmnmx2},
  };
  return all;
}

}  // namespace lockstep::emulator::sass
