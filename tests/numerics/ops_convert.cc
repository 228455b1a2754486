// SPDX-License-Identifier: Apache-2.0
// cvt between all types with every rounding mode that PTX allows, packed and tf32 forms.
#include "tests/numerics/op_builders.h"

namespace lockstep::emulator::num {
namespace {

struct Type {
  CvtType type;
  const char* text;
  int bits;
  bool is_float;
  Kind kind;
};
// Bytes travel in 32-bit registers.
const Type kTypes[] = {
    {CvtType::kU8, ".u8", 8, false, Kind::kB32},
    {CvtType::kU16, ".u16", 16, false, Kind::kB16},
    {CvtType::kU32, ".u32", 32, false, Kind::kB32},
    {CvtType::kU64, ".u64", 64, false, Kind::kB64},
    {CvtType::kS8, ".s8", 8, false, Kind::kB32},
    {CvtType::kS16, ".s16", 16, false, Kind::kB16},
    {CvtType::kS32, ".s32", 32, false, Kind::kB32},
    {CvtType::kS64, ".s64", 64, false, Kind::kB64},
    {CvtType::kF16, ".f16", 16, true, Kind::kF16},
    {CvtType::kBf16, ".bf16", 16, true, Kind::kBf16},
    {CvtType::kF32, ".f32", 32, true, Kind::kF32},
    {CvtType::kF64, ".f64", 64, true, Kind::kF64},
};
const std::pair<Round, const char*> kRounds[] = {
    {Round::kNearest, ".rn"}, {Round::kZero, ".rz"}, {Round::kDown, ".rm"}, {Round::kUp, ".rp"}};

void add(std::vector<Op>& ops, const Type& to, const Type& from, const std::string& round,
         CvtSpec spec) {
  spec.to = to.type;
  spec.from = from.type;
  const std::string name = "cvt" + round + (spec.ftz ? ".ftz" : "") + (spec.relu ? ".relu" : "") +
                           (spec.satfinite ? ".satfinite" : "") + (spec.sat ? ".sat" : "") +
                           to.text + from.text;
  const CvtFunction f = find_cvt(spec);
  if (f == nullptr) return;
  add_op(ops, name, to.kind, {from.kind}, [f](uint64_t a, uint64_t, uint64_t) { return f(a); });
}

// With and without .ftz (where f32 takes part) and .sat.
void add_flags(std::vector<Op>& ops, const Type& to, const Type& from, const std::string& round,
               CvtSpec spec, bool sat) {
  const bool flushes = to.type == CvtType::kF32 || from.type == CvtType::kF32;
  const bool bf16 = to.type == CvtType::kBf16 || from.type == CvtType::kBf16;
  for (const bool ftz : {false, true}) {
    if (ftz && (!flushes || bf16)) continue;
    spec.ftz = ftz;
    spec.sat = false;
    add(ops, to, from, round, spec);
    spec.sat = true;
    if (sat && !bf16) add(ops, to, from, round, spec);
  }
}

void add_pair(std::vector<Op>& ops, const Type& to, const Type& from) {
  if (!to.is_float && !from.is_float) {
    // .sat is allowed only where the source does not fit.
    const bool from_signed = from.text[1] == 's', to_signed = to.text[1] == 's';
    const bool fits =
        from_signed == to_signed ? from.bits <= to.bits : to_signed && from.bits < to.bits;
    add_flags(ops, to, from, "", {}, !fits);
    return;
  }
  if (to.is_float && from.is_float && (from.bits < to.bits || to.type == from.type)) {
    const bool bf16 = from.type == CvtType::kBf16;
    if (!(bf16 && to.type == from.type)) add_flags(ops, to, from, "", {}, true);
    if (to.type != from.type) return;
    for (const auto& [round, text] : kRounds) {
      add_flags(ops, to, from, text + std::string("i"), {.round = round, .integral = true}, true);
    }
    return;
  }
  for (const auto& [round, text] : kRounds) {
    const std::string mode = text + std::string(to.is_float ? "" : "i");
    const bool bf16_narrow = to.type == CvtType::kBf16 && from.type == CvtType::kF32;
    const bool sixteen = to.is_float && from.is_float && to.bits == from.bits;  // f16, bf16
    if (sixteen && round != Round::kNearest) continue;
    if (bf16_narrow && round != Round::kNearest && round != Round::kZero) continue;
    add_flags(ops, to, from, mode, {.round = round}, to.is_float);
  }
}

template <class Format>
void add_packed(std::vector<Op>& ops, const std::string& text, Kind single, Kind pair) {
  const auto add2 = [&](const std::string& modes, uint32_t (*f)(uint32_t, uint32_t)) {
    add_op(ops, "cvt" + modes + text + "x2.f32", pair, {Kind::kF32, Kind::kF32},
           [f](uint64_t a, uint64_t b, uint64_t) { return f(a, b); });
  };
  add2(".rn", half2_from_f32<Format>);
  add2(".rz", half2_from_f32<Format, Round::kZero>);
  add2(".rn.relu", half2_from_f32<Format, Round::kNearest, true>);
  add2(".rz.relu", half2_from_f32<Format, Round::kZero, true>);
  add2(".rn.satfinite", half2_from_f32<Format, Round::kNearest, false, true>);
  add2(".rn.relu.satfinite", half2_from_f32<Format, Round::kNearest, true, true>);
  const CvtType type = single == Kind::kF16 ? CvtType::kF16 : CvtType::kBf16;
  const Type to{type, text.c_str(), 16, true, single};
  for (const auto& [round, r] : {kRounds[0], kRounds[1]}) {
    add(ops, to, kTypes[10], r, {.round = round, .relu = true});
    add(ops, to, kTypes[10], r, {.round = round, .satfinite = true});
    add(ops, to, kTypes[10], r, {.round = round, .relu = true, .satfinite = true});
  }
}

void add_tf32(std::vector<Op>& ops) {
  const auto add1 = [&](const std::string& modes, uint32_t (*f)(uint32_t)) {
    add_op(ops, "cvt" + modes + ".tf32.f32", Kind::kB32, {Kind::kF32},
           [f](uint64_t a, uint64_t, uint64_t) { return f(a); });
  };
  add1(".rna", tf32_rna<false>);
  add1(".rna.satfinite", tf32_rna<true>);
  add1(".rn", tf32_from_f32<Round::kNearest>);
  add1(".rz", tf32_from_f32<Round::kZero>);
  add1(".rn.relu", tf32_from_f32<Round::kNearest, true>);
  add1(".rz.relu", tf32_from_f32<Round::kZero, true>);
}

// cvt.pack: two clamped integers beside each other, or above c's lower bits.
void add_pack(std::vector<Op>& ops) {
  constexpr Kind kI = Kind::kB32;
  add_op(ops, "cvt.pack.sat.u16.s32", kI, {kI, kI},
         [](uint64_t a, uint64_t b, uint64_t) { return cvt_pack16<uint16_t>(a, b); });
  add_op(ops, "cvt.pack.sat.s16.s32", kI, {kI, kI},
         [](uint64_t a, uint64_t b, uint64_t) { return cvt_pack16<int16_t>(a, b); });
  add_op(ops, "cvt.pack.sat.u8.s32.b32", kI, {kI, kI, kI},
         [](uint64_t a, uint64_t b, uint64_t c) { return cvt_pack8<uint8_t>(a, b, c); });
  add_op(ops, "cvt.pack.sat.s8.s32.b32", kI, {kI, kI, kI},
         [](uint64_t a, uint64_t b, uint64_t c) { return cvt_pack8<int8_t>(a, b, c); });
}

}  // namespace

void add_convert_ops(std::vector<Op>& ops) {
  for (const Type& to : kTypes) {
    for (const Type& from : kTypes) add_pair(ops, to, from);
  }
  add_packed<F16>(ops, ".f16", Kind::kF16, Kind::kF16x2);
  add_packed<Bf16>(ops, ".bf16", Kind::kBf16, Kind::kBf16x2);
  add_tf32(ops);
  add_pack(ops);
}

}  // namespace lockstep::emulator::num
