// SPDX-License-Identifier: Apache-2.0
// Conversions.
#include "emulator/numerics/convert.h"
#include "emulator/numerics/convert_table.h"
#include "emulator/numerics/half.h"
#include "emulator/sass/alu.h"
#include "emulator/sass/semantics.h"

namespace lockstep::emulator::sass {
namespace {

using num::Bf16;
using num::CvtFunction;
using num::CvtSpec;
using num::CvtType;
using num::F16;
using num::Round;

struct TypeName {
  std::string_view name;
  CvtType type;
};
constexpr TypeName kTypes[] = {
    {"U8", CvtType::kU8},     {"U16", CvtType::kU16}, {"U32", CvtType::kU32},
    {"U64", CvtType::kU64},   {"S8", CvtType::kS8},   {"S16", CvtType::kS16},
    {"S32", CvtType::kS32},   {"S64", CvtType::kS64}, {"F16", CvtType::kF16},
    {"BF16", CvtType::kBf16}, {"F32", CvtType::kF32}, {"F64", CvtType::kF64}};
bool is_wide(CvtType t) { return t == CvtType::kU64 || t == CvtType::kS64 || t == CvtType::kF64; }
bool is_float(CvtType t) { return t >= CvtType::kF16; }

// Types named by the modifiers, in their order.
std::vector<CvtType> types_of(const Builder& b) {
  std::vector<CvtType> types;
  for (int k = 0; k < b.in.modifier_count; ++k)
    for (const TypeName& t : kTypes)
      if (b.in.modifiers[static_cast<size_t>(k)] == t.name) types.push_back(t.type);
  return types;
}

// Op::change is free here: the function is Op::value. Op::sub: bits of the source's place,
// Op::flags 1: two rows in, 2: two out, 4: f64 gives the NaN of f32.
void convert(const Op& op, Warp& w, uint32_t on) {
  const auto function = reinterpret_cast<CvtFunction>(static_cast<uintptr_t>(op.value));
  const uint32_t* a = row(op.source[0], w);
  uint32_t* d = to_row(op, w);
  for (uint32_t rest = on; rest != 0; rest &= rest - 1) {
    const int i = __builtin_ctz(rest);
    uint64_t bits = a[i] >> op.sub;
    if ((op.flags & 1) != 0) bits = a[i] | uint64_t{a[i + 32]} << 32;
    const uint64_t result = function(bits);
    d[i] = static_cast<uint32_t>(result);
    if ((op.flags & 2) != 0) d[i + 32] = static_cast<uint32_t>(result >> 32);
  }
}

bool prepare_conversion(Builder& b, const CvtSpec& spec, int source = 1) {
  const CvtFunction function = num::find_cvt(spec);
  if (function == nullptr) return false;
  b.to(0, is_wide(spec.to) ? 2 : 1);
  const Operand& from = b.operand(source);
  const Kind kind = spec.from == CvtType::kF64                                  ? Kind::kDouble
                    : spec.from == CvtType::kF16 || spec.from == CvtType::kBf16 ? Kind::kHalves
                    : is_float(spec.from)                                       ? Kind::kFloat
                                                                                : Kind::kInteger;
  if (kind == Kind::kInteger && (from.absolute)) return false;
  b.from(0, source, kind, is_wide(spec.from) ? 2 : 1);
  b.op.flags = static_cast<uint16_t>((is_wide(spec.from) ? 1 : 0) | (is_wide(spec.to) ? 2 : 0));
  if (from.part == "H1_H1" || from.part == "H1" || from.part == "B2") b.op.sub = 16;
  if (from.part == "B1") b.op.sub = 8;
  if (from.part == "B3") b.op.sub = 24;
  b.op.value = static_cast<int64_t>(reinterpret_cast<uintptr_t>(function));
  return b.run(&convert);
}

uint32_t from_s32(int32_t a) { return num::bits_of(static_cast<float>(a)); }
uint32_t from_u32(uint32_t a) { return num::bits_of(static_cast<float>(a)); }
LOCKSTEP_INLINE uint32_t to_s32(uint32_t a) {
  return static_cast<uint32_t>(num::int_from_f32<int32_t>(a));
}
LOCKSTEP_INLINE uint32_t to_u32(uint32_t a) { return num::int_from_f32<uint32_t>(a); }

// Rd, A. A type that is not named is S32, or F32.
bool prepare_i2f(Builder& b) {
  CvtSpec spec;
  spec.to = CvtType::kF32;
  spec.from = CvtType::kS32;
  for (const CvtType t : types_of(b)) (is_float(t) ? spec.to : spec.from) = t;
  spec.round = rounding(b);
  if (spec.to == CvtType::kF32 && spec.round == Round::kNearest && b.operand(1).part.empty() &&
      (spec.from == CvtType::kS32 || spec.from == CvtType::kU32)) {
    b.to(0);
    b.from(0, 1);
    return b.run(spec.from == CvtType::kS32 ? alu<&from_s32>() : alu<&from_u32>());
  }
  return prepare_conversion(b, spec);
}

bool prepare_f2i(Builder& b) {
  CvtSpec spec;
  spec.to = CvtType::kS32;
  spec.from = CvtType::kF32;
  for (const CvtType t : types_of(b)) (is_float(t) ? spec.from : spec.to) = t;
  spec.round = rounding(b);
  spec.ftz = b.has("FTZ");
  if (spec.from == CvtType::kF32 && spec.round == Round::kZero && !spec.ftz && b.has("NTZ") &&
      (spec.to == CvtType::kS32 || spec.to == CvtType::kU32)) {
    b.to(0);
    b.from(0, 1, Kind::kFloat);
    return b.run(spec.to == CvtType::kS32 ? alu<&to_s32>() : alu<&to_u32>());
  }
  return prepare_conversion(b, spec);
}

bool prepare_f2f(Builder& b) {
  const std::vector<CvtType> types = types_of(b);
  if (types.size() != 2) return false;
  CvtSpec spec;
  spec.to = types[0];
  spec.from = types[1];
  spec.round = rounding(b);
  spec.ftz = b.has("FTZ");
  spec.sat = b.has("SAT");
  return prepare_conversion(b, spec);
}

bool prepare_frnd(Builder& b) {
  CvtSpec spec;
  spec.to = spec.from = CvtType::kF32;
  const std::vector<CvtType> types = types_of(b);
  if (!types.empty()) spec.to = spec.from = types[0];
  spec.round = rounding(b);
  spec.integral = true;
  spec.ftz = b.has("FTZ");
  return prepare_conversion(b, spec);
}

// F2IP packs integers of two floats beside a half. Executed is what compilers make of one float:
// Rd, RZ, B, RZ.
bool prepare_f2ip(Builder& b) {
  if (!b.has("U8") || b.has("RELU") || !b.has("NTZ")) return false;
  if (b.operand(1).index != kZeroRegister || b.operand(3).index != kZeroRegister) return false;
  CvtSpec spec;
  spec.from = CvtType::kF32;
  spec.to = CvtType::kU8;
  spec.round = rounding(b);
  return prepare_conversion(b, spec, 2);
}

// The two halves of Rd: A above B.
template <class Format, Round R, bool Relu>
uint32_t packed(uint32_t a, uint32_t b) {
  return num::half2_from_f32<Format, R, Relu>(a, b);
}
bool prepare_f2fp(Builder& b) {
  if (!b.has("PACK_AB") || (!b.has("F32") && b.sm >= 86) || b.has("MERGE_C") || b.has("SATFINITE"))
    return false;
  b.to(0);
  b.from(0, 1, Kind::kFloat);
  b.from(1, 2, Kind::kFloat);
  const bool relu = b.has("RELU"), zero = b.has("RZ");
  if (b.has("BF16"))
    return b.run(zero   ? alu<&packed<Bf16, Round::kZero, false>>()
                 : relu ? alu<&packed<Bf16, Round::kNearest, true>>()
                        : alu<&packed<Bf16, Round::kNearest, false>>());
  if (!b.has("F16") && b.sm >= 86) return false;  // before, F16 is what is not BF16
  return b.run(zero   ? alu<&packed<F16, Round::kZero, false>>()
               : relu ? alu<&packed<F16, Round::kNearest, true>>()
                      : alu<&packed<F16, Round::kNearest, false>>());
}

}  // namespace

const std::vector<Semantics>& conversion_semantics() {
  static const std::vector<Semantics> all = {
      {"I2F", &prepare_i2f},  {"I2FP", &prepare_i2f},  {"F2I", &prepare_f2i},
      {"F2F", &prepare_f2f},  {"FRND", &prepare_frnd}, {"F2FP", &prepare_f2fp},
      {"UI2F", &prepare_i2f}, {"UI2FP", &prepare_i2f}, {"F2IP", &prepare_f2ip},
  };
  return all;
}

}  // namespace lockstep::emulator::sass
