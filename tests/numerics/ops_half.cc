// SPDX-License-Identifier: Apache-2.0
// f16 and bf16, alone and in pairs: fma, add, sub, mul, min, max, neg, abs, comparisons.
#include "tests/numerics/op_builders.h"

namespace lockstep::emulator::num {
namespace {

// Names and kinds of a format's single and packed forms.
template <class Format>
struct Names;
template <>
struct Names<F16> {
  static constexpr const char* kText = ".f16";
  static constexpr Kind kSingle = Kind::kF16, kPair = Kind::kF16x2;
};
template <>
struct Names<Bf16> {
  static constexpr const char* kText = ".bf16";
  static constexpr Kind kSingle = Kind::kBf16, kPair = Kind::kBf16x2;
};

// The single and the packed operation of one function of halves.
template <class Format, class F>
void add_unary(std::vector<Op>& ops, const std::string& stem, F f) {
  using N = Names<Format>;
  add_op(ops, stem + N::kText, N::kSingle, {N::kSingle},
         [f](uint64_t a, uint64_t, uint64_t) { return f(uint16_t(a)); });
  add_op(ops, stem + N::kText + "x2", N::kPair, {N::kPair},
         [f](uint64_t a, uint64_t, uint64_t) { return pair(f, uint32_t(a)); });
}
template <class Format, class F>
void add_binary(std::vector<Op>& ops, const std::string& stem, F f) {
  using N = Names<Format>;
  add_op(ops, stem + N::kText, N::kSingle, {N::kSingle, N::kSingle},
         [f](uint64_t a, uint64_t b, uint64_t) { return f(uint16_t(a), uint16_t(b)); });
  add_op(ops, stem + N::kText + "x2", N::kPair, {N::kPair, N::kPair},
         [f](uint64_t a, uint64_t b, uint64_t) { return pair(f, uint32_t(a), uint32_t(b)); });
}
template <class Format, class F>
void add_ternary(std::vector<Op>& ops, const std::string& stem, F f) {
  using N = Names<Format>;
  add_op(
      ops, stem + N::kText, N::kSingle, {N::kSingle, N::kSingle, N::kSingle},
      [f](uint64_t a, uint64_t b, uint64_t c) { return f(uint16_t(a), uint16_t(b), uint16_t(c)); });
  add_op(ops, stem + N::kText + "x2", N::kPair, {N::kPair, N::kPair, N::kPair},
         [f](uint64_t a, uint64_t b, uint64_t c) {
           return pair(f, uint32_t(a), uint32_t(b), uint32_t(c));
         });
}

template <class Format, bool Ftz, bool Sat>
void add_sums(std::vector<Op>& ops, const std::string& modes) {
  add_binary<Format>(ops, "add.rn" + modes, add_half<Format, Ftz, Sat>);
  add_binary<Format>(ops, "sub.rn" + modes, sub_half<Format, Ftz, Sat>);
  add_binary<Format>(ops, "mul.rn" + modes, mul_half<Format, Ftz, Sat>);
  add_ternary<Format>(ops, "fma.rn" + modes, fma_half<Format, Ftz, Sat>);
}

template <class Format, bool Ftz>
void add_minmax(std::vector<Op>& ops, const std::string& f) {
  with_flag(".NaN", [&](auto nan, const std::string& n) {
    with_flag(".xorsign.abs", [&](auto xorsign, const std::string& x) {
      constexpr bool kNan = decltype(nan)::value, kXor = decltype(xorsign)::value;
      add_binary<Format>(ops, "min" + f + n + x, minmax_half<Format, false, Ftz, kNan, kXor>);
      add_binary<Format>(ops, "max" + f + n + x, minmax_half<Format, true, Ftz, kNan, kXor>);
    });
  });
}

template <class Format, Compare C, bool Ftz>
void add_compare(std::vector<Op>& ops, const std::string& text) {
  using N = Names<Format>;
  const std::string opcode = "setp." + text + (Ftz ? ".ftz" : "") + N::kText;
  add_op(ops, opcode, Kind::kB32, {N::kSingle, N::kSingle}, [](uint64_t a, uint64_t b, uint64_t) {
    return uint64_t{compare_half<Format, C, Ftz>(a, b)};
  }).code = opcode + " %p, %a, %b; selp.b32 %d, 1, 0, %p;";
}
template <class Format, bool Ftz>
void add_compares(std::vector<Op>& ops) {
  add_compare<Format, Compare::kEq, Ftz>(ops, "eq");
  add_compare<Format, Compare::kNe, Ftz>(ops, "ne");
  add_compare<Format, Compare::kLt, Ftz>(ops, "lt");
  add_compare<Format, Compare::kGe, Ftz>(ops, "ge");
  add_compare<Format, Compare::kNeu, Ftz>(ops, "neu");
  add_compare<Format, Compare::kLeu, Ftz>(ops, "leu");
  add_compare<Format, Compare::kNum, Ftz>(ops, "num");
  add_compare<Format, Compare::kNan, Ftz>(ops, "nan");
}

}  // namespace

void add_half_ops(std::vector<Op>& ops) {
  with_flag(".ftz", [&](auto ftz, const std::string& f) {
    constexpr bool kFtz = decltype(ftz)::value;
    add_sums<F16, kFtz, false>(ops, f);
    add_sums<F16, kFtz, true>(ops, f + ".sat");
    add_ternary<F16>(ops, "fma.rn" + f + ".relu", fma_half<F16, kFtz, false, true>);
    add_minmax<F16, kFtz>(ops, f);
    add_unary<F16>(ops, "neg" + f, neg_half<F16, kFtz>);
    add_unary<F16>(ops, "abs" + f, abs_half<F16, kFtz>);
    add_compares<F16, kFtz>(ops);
  });
  add_sums<Bf16, false, false>(ops, "");
  add_ternary<Bf16>(ops, "fma.rn.relu", fma_half<Bf16, false, false, true>);
  add_minmax<Bf16, false>(ops, "");
  add_unary<Bf16>(ops, "neg", neg_half<Bf16>);
  add_unary<Bf16>(ops, "abs", abs_half<Bf16>);
  add_compares<Bf16, false>(ops);
}

}  // namespace lockstep::emulator::num
