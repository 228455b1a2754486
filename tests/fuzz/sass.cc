// SPDX-License-Identifier: Apache-2.0
// Fuzzes the decoder of machine code: any 16 bytes are an instruction with a text, or not known.
// The first byte chooses the architecture; the rest are instructions.
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "emulator/sass/instruction.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace lockstep::emulator::sass;
  constexpr int kArchitectures[] = {75, 80, 86, 89, 90, 100, 120, 121};
  if (size == 0) return 0;
  const int sm = kArchitectures[data[0] % 8];
  for (size_t at = 1; at + 16 <= size; at += 16) {
    Encoding encoding;
    std::memcpy(&encoding.low, data + at, 8);
    std::memcpy(&encoding.high, data + at + 8, 8);
    const Instruction instruction = decode(encoding, at - 1, sm);
    if (instruction.row == nullptr) continue;
    if (instruction.operand_count > instruction.operands.size()) __builtin_trap();
    if (print(instruction).find(instruction.name) == std::string::npos) __builtin_trap();
  }
  return 0;
}
