// SPDX-License-Identifier: Apache-2.0
// setp on every type, min and max of f32, testp, copysign, slct, selp, set.
#include "tests/numerics/op_builders.h"

namespace lockstep::emulator::num {
namespace {

constexpr Kind kF = Kind::kF32, kD = Kind::kF64;

void add_setp(std::vector<Op>& ops, const std::string& opcode, Kind kind,
              std::function<bool(uint64_t, uint64_t)> test) {
  add_op(ops, opcode, Kind::kB32, {kind, kind}, [test](uint64_t a, uint64_t b, uint64_t) {
    return uint64_t{test(a, b)};
  }).code = opcode + " %p, %a, %b; selp.b32 %d, 1, 0, %p;";
}

template <Compare C>
void add_float(std::vector<Op>& ops, const std::string& text) {
  add_setp(ops, "setp." + text + ".f32", kF, compare_f32<C, false>);
  add_setp(ops, "setp." + text + ".ftz.f32", kF, compare_f32<C, true>);
  add_setp(ops, "setp." + text + ".f64", kD, compare_f64<C>);
}

template <class T>
void add_integer(std::vector<Op>& ops, const std::string& type, Kind kind, bool unsigned_names) {
  const auto add = [&](auto c, const char* text) {
    constexpr Compare kC = decltype(c)::value;
    add_setp(ops, std::string("setp.") + text + type, kind, [](uint64_t a, uint64_t b) {
      return compare<kC>(static_cast<T>(a), static_cast<T>(b));
    });
  };
  add(Constant<Compare::kEq>{}, "eq");
  add(Constant<Compare::kNe>{}, "ne");
  add(Constant<Compare::kLt>{}, "lt");
  add(Constant<Compare::kLe>{}, "le");
  add(Constant<Compare::kGt>{}, "gt");
  add(Constant<Compare::kGe>{}, "ge");
  if (!unsigned_names) return;
  add(Constant<Compare::kLt>{}, "lo");
  add(Constant<Compare::kLe>{}, "ls");
  add(Constant<Compare::kGt>{}, "hi");
  add(Constant<Compare::kGe>{}, "hs");
}

void add_testp(std::vector<Op>& ops) {
  const std::pair<Test, const char*> tests[] = {
      {Test::kFinite, "finite"}, {Test::kInfinite, "infinite"},
      {Test::kNumber, "number"}, {Test::kNotANumber, "notanumber"},
      {Test::kNormal, "normal"}, {Test::kSubnormal, "subnormal"}};
  for (const auto& [test, text] : tests) {
    const std::string stem = std::string("testp.") + text;
    const std::string tail = " %p, %a; selp.b32 %d, 1, 0, %p;";
    add_op(ops, stem + ".f32", Kind::kB32, {kF}, [test = test](uint64_t a, uint64_t, uint64_t) {
      return uint64_t{testp<uint32_t>(test, a)};
    }).code = stem + ".f32" + tail;
    add_op(ops, stem + ".f64", Kind::kB32, {kD}, [test = test](uint64_t a, uint64_t, uint64_t) {
      return uint64_t{testp<uint64_t>(test, a)};
    }).code = stem + ".f64" + tail;
  }
}

void add_selections(std::vector<Op>& ops) {
  constexpr Kind kI = Kind::kB32;
  add_op(ops, "copysign.f32", kF, {kF, kF},
         [](uint64_t a, uint64_t b, uint64_t) { return copysign<uint32_t>(a, b); });
  add_op(ops, "copysign.f64", kD, {kD, kD},
         [](uint64_t a, uint64_t b, uint64_t) { return copysign<uint64_t>(a, b); });
  add_op(ops, "slct.b32.s32", kI, {kI, kI, kI}, [](uint64_t a, uint64_t b, uint64_t c) {
    return slct_s32<uint32_t>(a, b, static_cast<int32_t>(c));
  });
  add_op(ops, "slct.f32.f32", kF, {kF, kF, kF},
         [](uint64_t a, uint64_t b, uint64_t c) { return slct_f32<false, uint32_t>(a, b, c); });
  add_op(ops, "slct.ftz.u64.f32", Kind::kB64, {Kind::kB64, Kind::kB64, kF},
         [](uint64_t a, uint64_t b, uint64_t c) { return slct_f32<true, uint64_t>(a, b, c); });
  add_op(ops, "set.ltu.f32.f32", kF, {kF, kF}, [](uint64_t a, uint64_t b, uint64_t) {
    return compare_f32<Compare::kLtu>(a, b) ? 0x3f800000u : 0u;
  });
  add_op(ops, "set.ge.u32.f32", kI, {kF, kF}, [](uint64_t a, uint64_t b, uint64_t) {
    return compare_f32<Compare::kGe>(a, b) ? ~0u : 0u;
  });
  add_op(ops, "set.lt.s32.s32", kI, {kI, kI}, [](uint64_t a, uint64_t b, uint64_t) {
    return static_cast<int32_t>(a) < static_cast<int32_t>(b) ? ~0u : 0u;
  });
}

}  // namespace

void add_compare_ops(std::vector<Op>& ops) {
  add_float<Compare::kEq>(ops, "eq");
  add_float<Compare::kNe>(ops, "ne");
  add_float<Compare::kLt>(ops, "lt");
  add_float<Compare::kLe>(ops, "le");
  add_float<Compare::kGt>(ops, "gt");
  add_float<Compare::kGe>(ops, "ge");
  add_float<Compare::kEqu>(ops, "equ");
  add_float<Compare::kNeu>(ops, "neu");
  add_float<Compare::kLtu>(ops, "ltu");
  add_float<Compare::kLeu>(ops, "leu");
  add_float<Compare::kGtu>(ops, "gtu");
  add_float<Compare::kGeu>(ops, "geu");
  add_float<Compare::kNum>(ops, "num");
  add_float<Compare::kNan>(ops, "nan");
  add_integer<uint16_t>(ops, ".u16", Kind::kB16, true);
  add_integer<int16_t>(ops, ".s16", Kind::kB16, false);
  add_integer<uint32_t>(ops, ".u32", Kind::kB32, true);
  add_integer<int32_t>(ops, ".s32", Kind::kB32, false);
  add_integer<uint64_t>(ops, ".u64", Kind::kB64, true);
  add_integer<int64_t>(ops, ".s64", Kind::kB64, false);
  with_flag(".ftz", [&](auto ftz, const std::string& f) {
    with_flag(".NaN", [&](auto nan, const std::string& n) {
      with_flag(".xorsign.abs", [&](auto xorsign, const std::string& x) {
        constexpr bool kFtz = decltype(ftz)::value, kNan = decltype(nan)::value;
        constexpr bool kXor = decltype(xorsign)::value;
        add_op(ops, "min" + f + n + x + ".f32", kF, {kF, kF},
               [](uint64_t a, uint64_t b, uint64_t) { return min_f32<kFtz, kNan, kXor>(a, b); });
        add_op(ops, "max" + f + n + x + ".f32", kF, {kF, kF},
               [](uint64_t a, uint64_t b, uint64_t) { return max_f32<kFtz, kNan, kXor>(a, b); });
      });
    });
  });
  add_testp(ops);
  add_selections(ops);
}

}  // namespace lockstep::emulator::num
