// SPDX-License-Identifier: Apache-2.0
// The rows of opcodes.def by opcode and architecture: see format.h.

#include "emulator/sass/format.h"

#include <mutex>

namespace lockstep::emulator::sass {
namespace {

constexpr OpcodeRow kRows[] = {
#define LOCKSTEP_SASS(code, name, spec) {code, #name, spec},
#include "emulator/sass/opcodes.def"
};

struct SpecialRegister {
  int index;
  std::string_view name;
};
constexpr SpecialRegister kSpecialRegisters[] = {
#define LOCKSTEP_SASS_SPECIAL(index, name) {index, name},
#include "emulator/sass/opcodes.def"
};

using Formats = std::vector<std::vector<Format>>;  // by opcode

Formats parse_all(int sm) {
  Formats formats(1 << 12);
  for (const OpcodeRow& row : kRows) {
    for (char digit : row.spec.substr(0, row.spec.find_first_of(" ;"))) {
      const int kind = digit - '0';
      parse_spec(row, kind, sm, &formats[row.code | kind << 9]);
    }
  }
  return formats;
}

}  // namespace

const std::vector<Format>& formats_of(int opcode, int sm) {
  static const std::vector<Format> kNone;
  constexpr int kFirst = 75, kLast = 121;
  static std::array<std::once_flag, kLast - kFirst + 1> flags;
  static std::array<Formats, kLast - kFirst + 1> formats;
  if (sm < kFirst || sm > kLast) return kNone;
  std::call_once(flags[sm - kFirst], [sm] { formats[sm - kFirst] = parse_all(sm); });
  return formats[sm - kFirst][opcode & 0xFFF];
}

std::string_view special_register(int index) {
  static const std::array<std::string_view, 256> kNames = [] {
    std::array<std::string_view, 256> names;
    for (const SpecialRegister& special : kSpecialRegisters) names[special.index] = special.name;
    return names;
  }();
  return kNames[index & 0xFF];
}

}  // namespace lockstep::emulator::sass
