// SPDX-License-Identifier: Apache-2.0
// The line tables of a cubin: the PTX line of every SASS instruction (.nv_debug_line_sass, which
// ptxas writes with -lineinfo) and its source line (.debug_line). Both are DWARF-2 line programs;
// they are read without trust: every read is checked, and the rows are bounded.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "emulator/cubin/cubin.h"

namespace lockstep::emulator {

struct LineRow {
  uint64_t address = 0;  // in the function's section
  uint32_t file = 0;     // 1-based; 0: the PTX text
  uint32_t line = 0;     // 1-based; 0: unknown
};

class LineTable {
 public:
  // section: ".nv_debug_line_sass" or ".debug_line". An absent section gives an empty table;
  // a broken one throws Error.
  LineTable(const Cubin& cubin, const std::string& section);
  // The same of a section's bytes; name stands in errors.
  LineTable(std::string_view bytes, const std::vector<Cubin::Relocation>& relocations,
            const std::string& name);

  bool empty() const { return functions_.empty(); }
  // Line of each of `count` instructions (16 bytes each) of .text.FUNCTION; 0: unknown.
  // Empty where the table does not know the function.
  std::vector<uint32_t> lines(const std::string& function, size_t count) const;
  // As above, with file.
  std::vector<LineRow> rows(const std::string& function, size_t count) const;
  // Names by file number; [0] is "".
  const std::vector<std::string>& files() const { return files_; }

 private:
  class Builder;
  struct Function {
    std::string name;
    std::vector<LineRow> rows;  // sorted by address
  };
  const Function* find(const std::string& function) const;

  std::vector<Function> functions_;
  std::vector<std::string> files_{""};
};

}  // namespace lockstep::emulator
