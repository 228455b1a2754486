// SPDX-License-Identifier: Apache-2.0
// Fuzzes the PTX front end: any bytes either parse or throw Error, quickly and in bounded memory.
#include <cstddef>
#include <cstdint>
#include <string>

#include "common/base/error.h"
#include "emulator/ptx/parser.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace lockstep;
  try {
    const emulator::Module module =
        emulator::parse_ptx(std::string(reinterpret_cast<const char*>(data), size), "fuzz.ptx");
    // Indices that later stages trust.
    for (const emulator::Function& function : module.functions) {
      for (const emulator::Instruction& instruction : function.code) {
        if (instruction.guard >= static_cast<int>(function.registers.size())) __builtin_trap();
        if (instruction.location >= static_cast<int>(function.locations.size())) __builtin_trap();
      }
      for (const emulator::Label& label : function.labels) {
        if (label.at > function.code.size()) __builtin_trap();
      }
    }
  } catch (const Error&) {
  }
  return 0;
}
