// SPDX-License-Identifier: Apache-2.0
// Conversions: handlers of their own for the common ones, a table of functions for all.
#include "emulator/exec/alu.h"
#include "emulator/numerics/convert.h"
#include "emulator/numerics/convert_table.h"
#include "emulator/numerics/half.h"

namespace lockstep::emulator {
namespace {

using num::CvtType;
using num::Round;

bool cvt_type(Type t, CvtType* out) {
  switch (t) {
    case Type::kU8:
    case Type::kB8:
      return *out = CvtType::kU8, true;
    case Type::kU16:
    case Type::kB16:
      return *out = CvtType::kU16, true;
    case Type::kU32:
    case Type::kB32:
      return *out = CvtType::kU32, true;
    case Type::kU64:
    case Type::kB64:
      return *out = CvtType::kU64, true;
    case Type::kS8:
      return *out = CvtType::kS8, true;
    case Type::kS16:
      return *out = CvtType::kS16, true;
    case Type::kS32:
      return *out = CvtType::kS32, true;
    case Type::kS64:
      return *out = CvtType::kS64, true;
    case Type::kF16:
      return *out = CvtType::kF16, true;
    case Type::kBf16:
      return *out = CvtType::kBf16, true;
    case Type::kF32:
      return *out = CvtType::kF32, true;
    case Type::kF64:
      return *out = CvtType::kF64, true;
    default:
      return false;
  }
}

// Instr::imm is the function.
template <class D, class S>
void convert_lanes(const Instr& in, Warp& w, uint32_t mask) {
  const auto function = reinterpret_cast<num::CvtFunction>(in.imm);
  D* d = at<D>(w, in.o[0]);
  const S* s = at<S>(w, in.o[1]);
  for (; mask != 0; mask &= mask - 1) {
    const int lane = __builtin_ctz(mask);
    d[lane] = static_cast<D>(function(s[lane]));
  }
}

template <class D>
Handler by_source(int bytes) {
  return bytes == 2   ? &convert_lanes<D, uint16_t>
         : bytes == 4 ? &convert_lanes<D, uint32_t>
                      : &convert_lanes<D, uint64_t>;
}

Alu integer_to_integer(Type to, Type from) {
  const bool wide = type_bytes(to) == 8;
  if (type_bytes(to) == 4 && type_bytes(from) == 8)
    return alu<&num::int_from_int<uint32_t, uint64_t>>();
  if (wide && from == Type::kS32) return alu<&num::int_from_int<int64_t, int32_t>>();
  if (wide && from == Type::kU32) return alu<&num::int_from_int<uint64_t, uint32_t>>();
  if (type_bytes(to) == 4 && from == Type::kU16)
    return alu<&num::int_from_int<uint32_t, uint16_t>>();
  if (type_bytes(to) == 4 && from == Type::kS16) return alu<&num::int_from_int<int32_t, int16_t>>();
  if (type_bytes(to) == 2 && type_bytes(from) == 4)
    return alu<&num::int_from_int<uint16_t, uint32_t>>();
  return {};
}

template <Round R>
Alu from_f32(Type to) {
  if (to == Type::kS32) return alu<&num::int_from_f32<int32_t, R>>();
  if (to == Type::kU32) return alu<&num::int_from_f32<uint32_t, R>>();
  return {};
}

// cvt.rn.f16x2.f32 d, a, b: a goes to the upper half.
template <class Format, Round R>
Alu pair_from_f32(const Opcode& op) {
  const bool relu = op.has("relu"), finite = op.has("satfinite");
  if (relu && finite) return alu<&num::half2_from_f32<Format, R, true, true>>();
  if (relu) return alu<&num::half2_from_f32<Format, R, true>>();
  if (finite) return alu<&num::half2_from_f32<Format, R, false, true>>();
  return alu<&num::half2_from_f32<Format, R>>();
}
template <class Format>
Alu pair_from_f32(const Opcode& op) {
  return op.has("rz") ? pair_from_f32<Format, Round::kZero>(op)
                      : pair_from_f32<Format, Round::kNearest>(op);
}

template <Round R>
Alu to_tf32(const Opcode& op) {
  if (op.has("satfinite")) return {};
  return op.has("relu") ? alu<&num::tf32_from_f32<R, true>>() : alu<&num::tf32_from_f32<R>>();
}
Alu to_tf32(const Opcode& op) {
  if (op.has("rna"))
    return op.has("satfinite") ? alu<&num::tf32_rna<true>>() : alu<&num::tf32_rna<>>();
  return op.has("rz") ? to_tf32<Round::kZero>(op) : to_tf32<Round::kNearest>(op);
}

// cvt.pack.sat: two clamped integers side by side.
Alu pack(const Opcode& op) {
  if (op.type(1) != Type::kS32 || !op.has("sat")) return {};
  const bool three = op.types.size() == 3 && op.type(2) == Type::kB32;
  switch (op.type(0)) {
    case Type::kU16:
      return three ? Alu{} : alu<&num::cvt_pack16<uint16_t>>();
    case Type::kS16:
      return three ? Alu{} : alu<&num::cvt_pack16<int16_t>>();
    case Type::kU8:
      return three ? alu<&num::cvt_pack8<uint8_t>>() : Alu{};
    case Type::kS8:
      return three ? alu<&num::cvt_pack8<int8_t>>() : Alu{};
    default:
      return {};
  }
}

}  // namespace

Alu find_convert(const Opcode& op) {
  if (op.root != "cvt") return {};
  if (op.has("pack")) return pack(op);
  if (op.types.size() != 2) return {};
  const Type to = op.type(0), from = op.type(1);
  if (to == Type::kF16x2 && from == Type::kF32) return pair_from_f32<num::F16>(op);
  if (to == Type::kBf16x2 && from == Type::kF32) return pair_from_f32<num::Bf16>(op);
  if (to == Type::kTf32 && from == Type::kF32) return to_tf32(op);
  if (op.has("sat") || op.has("ftz") || op.has("relu") || op.has("satfinite")) return {};
  const bool nearest = op.rounding() == Round::kNearest;
  if (!is_float(to) && !is_float(from)) return integer_to_integer(to, from);
  if (to == Type::kF32 && nearest) {
    if (from == Type::kS32) return alu<&num::f32_from_int<int32_t>>();
    if (from == Type::kU32) return alu<&num::f32_from_int<uint32_t>>();
    if (from == Type::kF64) return alu<&num::f32_from_f64<>>();
    if (from == Type::kF16) return alu<&num::f32_from_half<num::F16>>();
    if (from == Type::kBf16) return alu<&num::f32_from_half<num::Bf16>>();
  }
  if (to == Type::kF64 && nearest) {
    if (from == Type::kS32) return alu<&num::f64_from_int<int32_t>>();
    if (from == Type::kU32) return alu<&num::f64_from_int<uint32_t>>();
    if (from == Type::kF32) return alu<&num::f64_from_f32<>>();
  }
  if (from == Type::kF32 && op.has("rzi")) return from_f32<Round::kZero>(to);
  if (from == Type::kF32 && op.has("rmi")) return from_f32<Round::kDown>(to);
  if (from == Type::kF32 && op.has("rpi")) return from_f32<Round::kUp>(to);
  if (from == Type::kF32 && op.has("rni")) return from_f32<Round::kNearest>(to);
  if (from == Type::kF32 && to == Type::kF16 && nearest)
    return alu<&num::half_from_f32<num::F16>>();
  if (from == Type::kF32 && to == Type::kBf16 && nearest)
    return alu<&num::half_from_f32<num::Bf16>>();
  return {};
}

Handler convert_handler(const Opcode& op, int to_bytes, int from_bytes, int64_t* imm) {
  num::CvtSpec spec;
  if (op.types.size() != 2 || !cvt_type(op.type(0), &spec.to) || !cvt_type(op.type(1), &spec.from))
    return nullptr;
  spec.round = op.rounding();
  spec.integral = op.has("rni") || op.has("rzi") || op.has("rmi") || op.has("rpi");
  spec.ftz = op.has("ftz");
  spec.sat = op.has("sat");
  spec.relu = op.has("relu");
  spec.satfinite = op.has("satfinite");
  const num::CvtFunction function = num::find_cvt(spec);
  if (function == nullptr) return nullptr;
  *imm = reinterpret_cast<int64_t>(function);
  return to_bytes == 2   ? by_source<uint16_t>(from_bytes)
         : to_bytes == 4 ? by_source<uint32_t>(from_bytes)
                         : by_source<uint64_t>(from_bytes);
}

}  // namespace lockstep::emulator
