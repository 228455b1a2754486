// SPDX-License-Identifier: Apache-2.0
// Listings of cubins: see listing.h.

#include "emulator/sass/listing.h"

#include <fmt/format.h>

#include <cstring>
#include <map>

#include "common/backend/backend.h"
#include "common/base/error.h"
#include "common/base/text.h"
#include "emulator/cubin/line_table.h"
#include "emulator/sass/instruction.h"

namespace lockstep::emulator::sass {
namespace {

constexpr int kFirst = 75, kLast = 121;
constexpr size_t kBytes = 16;  // of an instruction

using Shown = std::function<std::string(const std::string&)>;

void add_function(const std::string& function, const Cubin& cubin, const LineTable& table,
                  const Shown& shown, std::string* text) {
  const std::string_view code = cubin.code(function);
  const size_t count = code.size() / kBytes;
  const std::vector<LineRow> lines = table.rows(function, count);
  std::multimap<uint64_t, std::string> names;  // by offset: device functions lie in it too
  for (auto& [name, offset] : cubin.functions_in(".text." + function)) names.emplace(offset, name);
  uint32_t file = 0, line = 0;
  for (size_t i = 0; i < count; ++i) {
    const auto [first, last] = names.equal_range(i * kBytes);
    for (auto it = first; it != last; ++it)
      *text += fmt::format("\n{}:\n", printable(kernel_name(it->second)));
    if (i < lines.size() && (lines[i].file != file || lines[i].line != line)) {
      file = lines[i].file;
      line = lines[i].line;
      const bool named = file < table.files().size() && line != 0;
      const std::string path = named ? table.files()[file] : "";
      *text += named ? fmt::format("{}:{}:\n", printable(shown ? shown(path) : path), line)
                     : "(no source line)\n";
    }
    Encoding encoding;
    std::memcpy(&encoding.low, code.data() + i * kBytes, sizeof(encoding.low));
    std::memcpy(&encoding.high, code.data() + i * kBytes + 8, sizeof(encoding.high));
    const Instruction instruction = decode(encoding, i * kBytes, cubin.sm());
    *text += fmt::format("    {:04x}  {}\n", i * kBytes,
                         instruction.row != nullptr ? print(instruction)
                                                    : fmt::format("(unknown: {:016x}{:016x})",
                                                                  encoding.high, encoding.low));
  }
}

}  // namespace

std::string listing(const Cubin& cubin, const Shown& shown) {
  if (cubin.sm() < kFirst || cubin.sm() > kLast) {
    throw Error(fmt::format("{}: machine code of sm_{} is not known here: sm_{} to sm_{} are",
                            cubin.name(), cubin.sm(), kFirst, kLast));
  }
  const LineTable table(cubin, ".debug_line");
  std::string text = fmt::format("{}: sm_{}\n", cubin.name(), cubin.sm());
  for (const std::string& function : cubin.functions()) {
    add_function(function, cubin, table, shown, &text);
  }
  return text;
}

}  // namespace lockstep::emulator::sass
