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

// Device functions lie in the section of the kernel that calls them, and are functions of their
// own.
void add_section(const std::string& section, const Cubin& cubin, const LineTable& table,
                 MachineCode* code) {
  const std::string_view bytes = cubin.code(section);
  const size_t count = bytes.size() / kBytes;
  const std::vector<LineRow> rows = table.rows(section, count);
  std::map<uint64_t, std::string> names;
  for (auto& [name, offset] : cubin.functions_in(".text." + section)) names.emplace(offset, name);
  for (size_t i = 0; i < count; ++i) {
    const auto named = names.find(i * kBytes);
    if (i == 0 || named != names.end())
      code->functions.push_back(
          {kernel_name(named == names.end() ? section : named->second), i * kBytes, {}, {}});
    Encoding encoding;
    std::memcpy(&encoding.low, bytes.data() + i * kBytes, sizeof(encoding.low));
    std::memcpy(&encoding.high, bytes.data() + i * kBytes + 8, sizeof(encoding.high));
    const Instruction instruction = decode(encoding, i * kBytes, cubin.sm());
    MachineFunction& function = code->functions.back();
    function.code.push_back(instruction.row != nullptr ? print(instruction)
                                                       : fmt::format("(unknown: {:016x}{:016x})",
                                                                     encoding.high, encoding.low));
    MachineFunction::Place place;
    if (i < rows.size() && rows[i].file < table.files().size() && rows[i].line != 0)
      place = {rows[i].file, rows[i].line};
    function.places.push_back(place);
  }
}

}  // namespace

MachineCode machine_code(const Cubin& cubin, const Shown& shown) {
  if (cubin.sm() < kFirst || cubin.sm() > kLast) {
    throw Error(fmt::format("{}: machine code of sm_{} is not known here: sm_{} to sm_{} are",
                            cubin.name(), cubin.sm(), kFirst, kLast));
  }
  const LineTable table(cubin, ".debug_line");
  MachineCode code;
  code.sm = cubin.sm();
  for (const std::string& file : table.files())
    code.files.push_back(printable(shown && !file.empty() ? shown(file) : file));
  for (const std::string& section : cubin.functions()) add_section(section, cubin, table, &code);
  return code;
}

std::string listing(const Cubin& cubin, const Shown& shown) {
  const MachineCode code = machine_code(cubin, shown);
  std::string text = fmt::format("{}: sm_{}\n", cubin.name(), code.sm);
  for (const MachineFunction& function : code.functions) {
    text += fmt::format("\n{}:\n", printable(function.name));
    for (size_t i = 0; i < function.code.size(); ++i) {
      const MachineFunction::Place at = function.places[i];
      if (i == 0 || at.file != function.places[i - 1].file ||
          at.line != function.places[i - 1].line)
        text += at.line == 0 ? "(no source line)\n"
                             : fmt::format("{}:{}:\n", code.files[at.file], at.line);
      text += fmt::format("    {:04x}  {}\n", function.first + i * kBytes, function.code[i]);
    }
  }
  return text;
}

}  // namespace lockstep::emulator::sass
