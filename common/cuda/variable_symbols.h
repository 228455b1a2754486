// SPDX-License-Identifier: Apache-2.0
// The variables of a cubin, global and constant, those of functions and those without an external
// name included: its symbol table has them all. Needs no GPU.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace lockstep::cuda {

struct VariableSymbol {
  std::string name;  // as the driver knows it
  std::string section;
  uint64_t offset = 0;  // from the section's start
  uint64_t bytes = 0;
  bool zero = false;  // it begins with zeros
};

// By section and offset. Throws Error, which begins with `file`, where the bytes are no cubin.
std::vector<VariableSymbol> variable_symbols(const std::string& cubin, const std::string& file);

}  // namespace lockstep::cuda
