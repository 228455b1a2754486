// SPDX-License-Identifier: Apache-2.0
// Names and sizes of PTX types.
#include "emulator/ptx/types.h"

namespace lockstep::emulator {
namespace {

struct Entry {
  std::string_view name;  // ends with a zero
  int bytes;
};
// In the order of Type.
constexpr Entry kTypes[] = {
    {"", 0},       {"pred", 1},  {"b8", 1},  {"b16", 2},  {"b32", 4},    {"b64", 8},
    {"b128", 16},  {"u8", 1},    {"u16", 2}, {"u32", 4},  {"u64", 8},    {"s8", 1},
    {"s16", 2},    {"s32", 4},   {"s64", 8}, {"f16", 2},  {"f16x2", 4},  {"bf16", 2},
    {"bf16x2", 4}, {"f32", 4},   {"f64", 8}, {"tf32", 4}, {"e4m3x2", 2}, {"e5m2x2", 2},
    {"u16x2", 4},  {"s16x2", 4},
};
constexpr int kCount = sizeof kTypes / sizeof kTypes[0];

}  // namespace

Type type_from_name(std::string_view name) {
  for (int i = 1; i < kCount; ++i)
    if (name == kTypes[i].name) return static_cast<Type>(i);
  return Type::kNone;
}

const char* type_name(Type type) { return kTypes[static_cast<int>(type)].name.data(); }

int type_bytes(Type type) { return kTypes[static_cast<int>(type)].bytes; }

}  // namespace lockstep::emulator
