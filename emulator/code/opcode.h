// SPDX-License-Identifier: Apache-2.0
// A PTX opcode cut at its dots: "ld.global.v4.f32" is root "ld", modifiers "global", "v4", and
// type f32. Short-lived: it points into the module's text.
#pragma once

#include <string_view>
#include <vector>

#include "emulator/numerics/bits.h"
#include "emulator/ptx/types.h"

namespace lockstep::emulator {

struct Opcode {
  explicit Opcode(std::string_view text);

  std::string_view text;
  std::string_view root;
  std::vector<std::string_view> modifiers;  // without the types
  std::vector<Type> types;                  // in order

  bool has(std::string_view modifier) const;
  Type type(size_t index = 0) const { return index < types.size() ? types[index] : Type::kNone; }
  // .rn .rz .rm .rp and their integer forms; nearest where there is none.
  num::Round rounding() const;
};

// cp.async.ca and cp.async.cg: copies of a few bytes, and nothing else that begins so.
bool is_async_copy(const Opcode& op);

}  // namespace lockstep::emulator
