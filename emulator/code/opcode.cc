// SPDX-License-Identifier: Apache-2.0
// Cuts opcodes.
#include "emulator/code/opcode.h"

#include <algorithm>

namespace lockstep::emulator {

Opcode::Opcode(std::string_view whole) : text(whole) {
  size_t at = whole.find('.');
  root = whole.substr(0, at);
  while (at != std::string_view::npos) {
    const size_t next = whole.find('.', at + 1);
    const std::string_view part = whole.substr(at + 1, next - at - 1);
    const Type type = type_from_name(part);
    if (type != Type::kNone)
      types.push_back(type);
    else
      modifiers.push_back(part);
    at = next;
  }
}

bool Opcode::has(std::string_view modifier) const {
  return std::find(modifiers.begin(), modifiers.end(), modifier) != modifiers.end();
}

num::Round Opcode::rounding() const {
  if (has("rz") || has("rzi")) return num::Round::kZero;
  if (has("rm") || has("rmi")) return num::Round::kDown;
  if (has("rp") || has("rpi")) return num::Round::kUp;
  return num::Round::kNearest;
}

bool is_async_copy(const Opcode& op) {
  return op.root == "cp" && op.modifiers.size() >= 2 && op.modifiers[0] == "async" &&
         (op.modifiers[1] == "ca" || op.modifiers[1] == "cg");
}

}  // namespace lockstep::emulator
