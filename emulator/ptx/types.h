// SPDX-License-Identifier: Apache-2.0
// The types of PTX operands and variables, their sizes and their names.
#pragma once

#include <cstdint>
#include <string_view>

namespace lockstep::emulator {

enum class Type : uint8_t {
  kNone,
  kPred,
  kB8,
  kB16,
  kB32,
  kB64,
  kB128,
  kU8,
  kU16,
  kU32,
  kU64,
  kS8,
  kS16,
  kS32,
  kS64,
  kF16,
  kF16x2,
  kBf16,
  kBf16x2,
  kF32,
  kF64,
  kTf32,
  kE4m3x2,
  kE5m2x2,
  kU16x2,
  kS16x2,
};

// "f32" -> kF32; kNone where the word names no type.
Type type_from_name(std::string_view name);
const char* type_name(Type type);
// Bytes in memory; kPred has 1, kNone 0.
int type_bytes(Type type);

constexpr bool is_signed(Type t) {
  return t == Type::kS8 || t == Type::kS16 || t == Type::kS32 || t == Type::kS64 ||
         t == Type::kS16x2;
}
constexpr bool is_float(Type t) { return t >= Type::kF16 && t <= Type::kE5m2x2; }

}  // namespace lockstep::emulator
