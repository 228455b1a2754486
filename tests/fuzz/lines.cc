// SPDX-License-Identifier: Apache-2.0
// Fuzzes the reader of line tables: any bytes are read or refused with Error, in bounded time and
// memory. The first byte says where relocations point to; the rest is the section.
#include <cstddef>
#include <cstdint>
#include <string>

#include "common/base/error.h"
#include "emulator/cubin/line_table.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace lockstep;
  using namespace lockstep::emulator;
  if (size == 0) return 0;
  std::vector<Cubin::Relocation> relocations;
  for (uint64_t i = 0; i < 4; ++i)
    relocations.push_back({data[0] + 40 * i, 2, i % 2 == 0 ? "f" : "g", int64_t(i) * 16});
  const std::string_view section(reinterpret_cast<const char*>(data) + 1, size - 1);
  try {
    const LineTable table(section, relocations, "fuzz.cubin");
    for (const char* function : {"f", "g", ""}) {
      const std::vector<LineRow> rows = table.rows(function, 64);
      for (size_t i = 0; i < rows.size(); ++i)
        if (rows[i].address != 16 * i) __builtin_trap();
      if (table.lines(function, 8).size() > 8) __builtin_trap();
    }
    size_t bytes = 0;  // a table holds no more than a small multiple of its section
    for (const std::string& file : table.files()) bytes += file.size();
    if (bytes > 16 * size * size) __builtin_trap();
  } catch (const Error&) {
  }
  return 0;
}
