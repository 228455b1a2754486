// SPDX-License-Identifier: Apache-2.0
// The machine code of a module as text, each instruction with the source line that it came from;
// and as JSON, in which another process says it and results keep it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace lockstep {

struct MachineFunction {
  struct Place {
    size_t file = 0;    // index into MachineCode::files
    uint32_t line = 0;  // 0: the line is not known
  };
  std::string name;               // as KernelInfo::name
  uint64_t first = 0;             // bytes from the section's begin, which jumps are relative to
  std::vector<std::string> code;  // as nvdisasm prints it, 16 bytes an instruction
  std::vector<Place> places;      // as many
};

struct MachineCode {
  int sm = 0;  // 90 for sm_90
  std::vector<std::string> files;
  std::vector<MachineFunction> functions;
};

// Of a cubin, by the emulator's decoder. Throws Error where the file or its line table is broken,
// or the architecture none of CC 7.5 to 12.x.
MachineCode list_machine_code(const std::string& cubin);

// {"sm": 90, "files": [...], "functions": [{"name", "first", "code": "one\ntwo", "places": [[FILE,
// LINE, how many instructions], ...]}]}; one line, ASCII.
std::string to_json(const MachineCode& code);
// Throws Error on anything else, and where places are not as many as instructions.
MachineCode machine_code_from_json(const std::string& text);

}  // namespace lockstep
