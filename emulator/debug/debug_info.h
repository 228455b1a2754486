// SPDX-License-Identifier: Apache-2.0
// Which variables there are at a place of a PTX module's code, and where they lie there, as nvcc
// -G describes it. A place is a function of the module and an instruction of it.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "emulator/debug/dwarf.h"
#include "emulator/ptx/module.h"

namespace lockstep::emulator {

// Where a value lies. `symbol` is a name of the PTX.
struct Home {
  enum class Kind : uint8_t {
    kUnknown,   // nowhere, or nowhere that is understood
    kRegister,  // `reg`, of the function
    kSymbol,    // `offset` bytes into a variable of the function or the module, or a parameter
    kPointer,   // `offset` bytes from the generic address in `reg`
    kConstant,  // it is `constant`
  };
  Kind kind = Kind::kUnknown;
  uint32_t reg = 0;  // into Function::registers
  std::string_view symbol;
  int64_t offset = 0;
  int64_t constant = 0;
};

class DebugInfo {
 public:
  // Throws Error where the module has none that can be read. The module must outlive it.
  explicit DebugInfo(const Module& module);

  // Entries of variables and parameters that are in scope, the innermost ones last, and among
  // those of one block in the order of the source.
  std::vector<uint32_t> variables_at(uint32_t function, uint32_t instruction) const;
  // The innermost of that name; kNoEntry: there is none.
  uint32_t find(uint32_t function, uint32_t instruction, std::string_view name) const;
  bool is_of_function(uint32_t variable) const;
  Home home_of(uint32_t variable, uint32_t function, uint32_t instruction) const;
  // Where what has that symbol is declared; 0: nowhere.
  int line_of_symbol(std::string_view symbol) const;

  const Dwarf& dwarf() const { return dwarf_; }

 private:
  struct Place {
    uint32_t function = 0, instruction = 0;
  };
  bool within(std::string_view low, std::string_view high, uint32_t function,
              uint32_t instruction) const;
  Home home_at(const Section& section, size_t at, size_t bytes, uint32_t function) const;
  Home home_in_list(uint64_t list, uint32_t function, uint32_t instruction) const;
  bool find_register(uint32_t function, uint64_t packed, uint32_t* reg) const;

  const Module& module_;
  Dwarf dwarf_;
  std::map<std::string_view, Place> labels_;
  std::map<uint32_t, uint32_t> subprograms_;  // by function: its entry
  std::vector<uint32_t> of_module_;           // variables outside of functions
};

}  // namespace lockstep::emulator
