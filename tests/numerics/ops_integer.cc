// SPDX-License-Identifier: Apache-2.0
// Integer arithmetic of 16, 32 and 64 bits, 24-bit forms, carry chains, division, dp4a, dp2a.
#include "tests/numerics/op_builders.h"

namespace lockstep::emulator::num {
namespace {

// The type's PTX suffix and register kinds.
template <class T>
struct Names {
  static constexpr int kBits = 8 * sizeof(T);
  static std::string text() { return (std::is_signed_v<T> ? ".s" : ".u") + std::to_string(kBits); }
  static constexpr Kind kKind = kBits == 16 ? Kind::kB16 : kBits == 32 ? Kind::kB32 : Kind::kB64;
  static constexpr Kind kWide = kBits == 16 ? Kind::kB32 : Kind::kB64;
};

template <class T, class F>
void add_binary(std::vector<Op>& ops, const std::string& stem, F f) {
  constexpr Kind kK = Names<T>::kKind;
  add_op(ops, stem + Names<T>::text(), kK, {kK, kK}, [f](uint64_t a, uint64_t b, uint64_t) {
    return static_cast<uint64_t>(f(static_cast<T>(a), static_cast<T>(b)));
  });
}
template <class T, class F>
void add_ternary(std::vector<Op>& ops, const std::string& stem, F f) {
  constexpr Kind kK = Names<T>::kKind;
  add_op(ops, stem + Names<T>::text(), kK, {kK, kK, kK}, [f](uint64_t a, uint64_t b, uint64_t c) {
    return static_cast<uint64_t>(f(static_cast<T>(a), static_cast<T>(b), static_cast<T>(c)));
  });
}

template <class T>
void add_common(std::vector<Op>& ops) {
  constexpr Kind kK = Names<T>::kKind;
  add_binary<T>(ops, "add", wrap_add<T>);
  add_binary<T>(ops, "mul.lo", mul_lo<T>);
  add_binary<T>(ops, "mul.hi", mul_hi<T>);
  add_binary<T>(ops, "div", div_int<T>);
  add_binary<T>(ops, "rem", rem_int<T>);
  add_binary<T>(ops, "min", min_int<T>);
  add_binary<T>(ops, "max", max_int<T>);
  add_ternary<T>(ops, "mad.lo", mad_lo<T>);
  add_ternary<T>(ops, "mad.hi", mad_hi<T>);
  add_ternary<T>(ops, "sad", sad<T>);
  if constexpr (std::is_signed_v<T>) {
    add_op(ops, "abs" + Names<T>::text(), kK, {kK}, [](uint64_t a, uint64_t, uint64_t) {
      return static_cast<uint64_t>(abs_int(static_cast<T>(a)));
    });
  }
  add_op(ops, "shr" + Names<T>::text(), kK, {kK, Kind::kCount},
         [](uint64_t a, uint64_t b, uint64_t) {
           return static_cast<uint64_t>(shr(static_cast<T>(a), static_cast<uint32_t>(b)));
         });
  if constexpr (!std::is_signed_v<T>) {
    add_op(ops, "shl.b" + std::to_string(8 * sizeof(T)), kK, {kK, Kind::kCount},
           [](uint64_t a, uint64_t b, uint64_t) {
             return static_cast<uint64_t>(shl(static_cast<T>(a), static_cast<uint32_t>(b)));
           });
  }
}

template <class T>
void add_wide(std::vector<Op>& ops) {
  using N = Names<T>;
  add_op(ops, "mul.wide" + N::text(), N::kWide, {N::kKind, N::kKind},
         [](uint64_t a, uint64_t b, uint64_t) {
           return static_cast<uint64_t>(mul_wide(static_cast<T>(a), static_cast<T>(b)));
         });
  add_op(ops, "mad.wide" + N::text(), N::kWide, {N::kKind, N::kKind, N::kWide},
         [](uint64_t a, uint64_t b, uint64_t c) {
           return static_cast<uint64_t>(
               mad_wide(static_cast<T>(a), static_cast<T>(b), static_cast<Wide<T>>(c)));
         });
}

template <class T>
void add_24(std::vector<Op>& ops) {
  add_binary<T>(ops, "mul24.lo", mul24_lo<T>);
  add_binary<T>(ops, "mul24.hi", mul24_hi<T>);
  add_ternary<T>(ops, "mad24.lo", [](T a, T b, T c) { return wrap_add(mul24_lo(a, b), c); });
  add_ternary<T>(ops, "mad24.hi", [](T a, T b, T c) { return wrap_add(mul24_hi(a, b), c); });
}

// Two chained operations; the result holds the second, so the carry between them is seen.
template <class U>
void add_chains(std::vector<Op>& ops) {
  const bool wide = sizeof(U) == 8;
  const Kind kind = wide ? Kind::kB64 : Kind::kB32;
  const std::string u = wide ? ".u64" : ".u32", t = wide ? "%u0" : "%t0";
  using S = std::make_signed_t<U>;
  const auto add = [&](const std::string& name, const std::string& code, Compute f) {
    add_op(ops, name + u, kind, {kind, kind, kind}, f).code = code;
  };
  add("add.cc+addc", "add.cc" + u + " " + t + ", %a, %b; addc" + u + " %d, " + t + ", %c;",
      [](uint64_t a, uint64_t b, uint64_t c) {
        const auto low = add_carry<U>(a, b, false);
        return add_carry<U>(low.value, c, low.carry).value;
      });
  add("addc.cc",
      "add.cc" + u + " " + t + ", %a, %b; addc.cc" + u + " " + t + ", " + t + ", %c; addc" + u +
          " %d, %b, %c;",
      [](uint64_t a, uint64_t b, uint64_t c) {
        const auto low = add_carry<U>(a, b, false);
        const bool carry = add_carry<U>(low.value, c, low.carry).carry;
        return add_carry<U>(b, c, carry).value;
      });
  add("sub.cc+subc", "sub.cc" + u + " " + t + ", %a, %b; subc" + u + " %d, " + t + ", %c;",
      [](uint64_t a, uint64_t b, uint64_t c) {
        const auto low = sub_carry<U>(a, b, true);
        return sub_carry<U>(low.value, c, low.carry).value;
      });
  add("subc.cc",
      "sub.cc" + u + " " + t + ", %a, %b; subc.cc" + u + " " + t + ", " + t + ", %c; subc" + u +
          " %d, %b, %c;",
      [](uint64_t a, uint64_t b, uint64_t c) {
        const auto low = sub_carry<U>(a, b, true);
        const bool carry = sub_carry<U>(low.value, c, low.carry).carry;
        return sub_carry<U>(b, c, carry).value;
      });
  add("mad.lo.cc+madc.hi",
      "mad.lo.cc" + u + " " + t + ", %a, %b, %c; madc.hi" + u + " %d, %a, %b, " + t + ";",
      [](uint64_t a, uint64_t b, uint64_t c) {
        const auto low = mad_lo_carry<U>(a, b, c, false);
        return mad_hi_carry<U>(a, b, low.value, low.carry).value;
      });
  add("madc.lo.cc",
      "add.cc" + u + " " + t + ", %a, %c; madc.lo.cc" + u + " " + t + ", %a, %b, " + t + "; addc" +
          u + " %d, " + t + ", 0;",
      [](uint64_t a, uint64_t b, uint64_t c) {
        const auto sum = add_carry<U>(a, c, false);
        const auto mad = mad_lo_carry<U>(a, b, sum.value, sum.carry);
        return add_carry<U>(mad.value, 0, mad.carry).value;
      });
  const std::string s = wide ? ".s64" : ".s32";
  add("mad.hi.cc" + s, "mad.hi.cc" + s + " " + t + ", %a, %b, %c; addc" + u + " %d, " + t + ", 0;",
      [](uint64_t a, uint64_t b, uint64_t c) {
        const auto mad = mad_hi_carry<S>(a, b, c, false);
        return add_carry<U>(mad.value, 0, mad.carry).value;
      });
}

template <bool A, bool B>
void add_dot(std::vector<Op>& ops, const std::string& types) {
  constexpr Kind kI = Kind::kB32;
  add_op(ops, "dp4a" + types, kI, {kI, kI, kI},
         [](uint64_t a, uint64_t b, uint64_t c) { return dp4a<A, B>(a, b, c); });
  add_op(ops, "dp2a.lo" + types, kI, {kI, kI, kI},
         [](uint64_t a, uint64_t b, uint64_t c) { return dp2a<A, B, false>(a, b, c); });
  add_op(ops, "dp2a.hi" + types, kI, {kI, kI, kI},
         [](uint64_t a, uint64_t b, uint64_t c) { return dp2a<A, B, true>(a, b, c); });
}

template <class T>
void add_packed(std::vector<Op>& ops, const std::string& type) {
  constexpr Kind kI = Kind::kB32;
  const auto add = [&](const std::string& stem, T (*f)(T, T)) {
    add_op(ops, stem + type, kI, {kI, kI},
           [f](uint64_t a, uint64_t b, uint64_t) { return pair16<T>(f, a, b); });
  };
  add("add", wrap_add<T>);
  add("min", min_int<T>);
  add("max", max_int<T>);
  if constexpr (std::is_signed_v<T>) {
    add("min.relu", min_relu16);
    add("max.relu", max_relu16);
  }
}

}  // namespace

void add_integer_ops(std::vector<Op>& ops) {
  add_common<uint16_t>(ops);
  add_common<int16_t>(ops);
  add_common<uint32_t>(ops);
  add_common<int32_t>(ops);
  add_common<uint64_t>(ops);
  add_common<int64_t>(ops);
  add_wide<uint16_t>(ops);
  add_wide<int16_t>(ops);
  add_wide<uint32_t>(ops);
  add_wide<int32_t>(ops);
  add_24<uint32_t>(ops);
  add_24<int32_t>(ops);
  add_binary<int32_t>(ops, "add.sat", add_sat);
  add_binary<int32_t>(ops, "sub.sat", sub_sat);
  add_ternary<int32_t>(ops, "mad.hi.sat", mad_hi_sat);
  add_ternary<int32_t>(ops, "mad24.hi.sat", mad24_hi_sat);
  add_binary<int32_t>(ops, "min.relu", min_relu);
  add_binary<int32_t>(ops, "max.relu", max_relu);
  add_packed<uint16_t>(ops, ".u16x2");
  add_packed<int16_t>(ops, ".s16x2");
  add_chains<uint32_t>(ops);
  add_chains<uint64_t>(ops);
  add_dot<false, false>(ops, ".u32.u32");
  add_dot<false, true>(ops, ".u32.s32");
  add_dot<true, false>(ops, ".s32.u32");
  add_dot<true, true>(ops, ".s32.s32");
}

}  // namespace lockstep::emulator::num
