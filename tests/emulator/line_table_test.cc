// SPDX-License-Identifier: Apache-2.0
#include "emulator/cubin/line_table.h"

#include <gtest/gtest.h>

#include <sstream>

#include "common/base/error.h"
#include "emulator/sass/code.h"
#include "tests/emulator/test_modules.h"

namespace lockstep::emulator {
namespace {

constexpr char kKernels[] = "h200/kernels";

std::vector<std::string> text_lines(const std::string& path) {
  std::vector<std::string> lines{""};
  std::istringstream text(file_bytes(path));
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  return lines;
}

TEST(LineTable, EverySassInstructionOfEveryKernelHasAPtxLine) {
  LOCKSTEP_NEEDS_MODULE(kKernels);
  const Cubin cubin = Cubin::read(test_module(kKernels, ".cubin"));
  const LineTable table(cubin, ".nv_debug_line_sass");
  const size_t ptx_lines = text_lines(test_module(kKernels, ".ptx")).size();
  for (const CubinKernel& kernel : cubin.kernels()) {
    const std::vector<uint32_t> lines = table.lines(kernel.name, kernel.code.size() / 16);
    ASSERT_EQ(lines.size(), kernel.code.size() / 16) << kernel.name;
    for (uint32_t line : lines) {
      ASSERT_GT(line, 0u) << kernel.name;
      ASSERT_LT(line, ptx_lines) << kernel.name;
    }
  }
}

// The line of a SASS memory operation says a PTX memory operation of the same space.
TEST(LineTable, MemoryOperationsLeadToTheirPtx) {
  LOCKSTEP_NEEDS_MODULE(kKernels);
  const Cubin cubin = Cubin::read(test_module(kKernels, ".cubin"));
  const LineTable table(cubin, ".nv_debug_line_sass");
  const std::vector<std::string> ptx = text_lines(test_module(kKernels, ".ptx"));
  int seen = 0;
  for (const CubinKernel& kernel : cubin.kernels()) {
    const std::vector<sass::Instruction> code =
        sass::make_code(cubin, kernel.name, [](const std::string&) {
          return std::nullopt;
        })->instructions;
    const std::vector<uint32_t> lines = table.lines(kernel.name, code.size());
    for (size_t i = 0; i < code.size(); ++i) {
      const std::string_view name = code[i].name;
      const char* wanted = name == "LDG"    ? "ld.global"
                           : name == "STG"  ? "st.global"
                           : name == "LDS"  ? "ld.shared"
                           : name == "STS"  ? "st.shared"
                           : name == "BAR"  ? "bar"
                           : name == "SHFL" ? "shfl"
                                            : nullptr;
      if (!wanted) continue;
      ++seen;
      EXPECT_NE(ptx[lines[i]].find(wanted), std::string::npos)
          << kernel.name << " instruction " << i << ": " << ptx[lines[i]];
    }
  }
  EXPECT_GT(seen, 500);
}

TEST(LineTable, SourceLinesNameTheFile) {
  LOCKSTEP_NEEDS_MODULE(kKernels);
  const Cubin cubin = Cubin::read(test_module(kKernels, ".cubin"));
  const LineTable table(cubin, ".debug_line");
  const std::vector<LineRow> rows = table.rows("k_copy", 30);
  ASSERT_EQ(rows.size(), 30u);
  ASSERT_LT(rows[10].file, table.files().size());
  EXPECT_NE(table.files()[rows[10].file].find("kernels.cu"), std::string::npos);
  EXPECT_EQ(rows[10].line, 5u);  // k_copy is one line
}

std::string little_endian(uint32_t value) {
  return std::string(reinterpret_cast<const char*>(&value), sizeof value);
}

// A table of one unit whose line program is `program`; unit_length: what it says of itself.
LineTable table_of(const std::string& program, int unit_length = -1) {
  const std::string tables("\x01\x01\xfb\x0e\x0a\0\1\1\1\1\0\0\0\1\0\0", 16);
  std::string unit("\x02\0", 2);
  unit += little_endian(static_cast<uint32_t>(tables.size())) + tables + program;
  const auto length =
      unit_length < 0 ? static_cast<uint32_t>(unit.size()) : static_cast<uint32_t>(unit_length);
  return LineTable(little_endian(length) + unit, {{29, 2, "f", 0}}, "x.cubin");
}

TEST(LineTable, AUnitReadsNoMoreThanItsOwnBytes) {
  const std::string address("\0\x09\x02\0\0\0\0\0\0\0\0", 11), row("\x03\x04\x01", 3);
  EXPECT_EQ(table_of(address + row).lines("f", 2), (std::vector<uint32_t>{5, 5}));
  // Lengths of an extended opcode that lead out of the unit, far out, and back.
  for (const std::string length : {"\x0a", "\x7f", "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01",
                                   "\xf0\xff\xff\xff\xff\xff\xff\xff\xff\x01"})
    EXPECT_THROW(table_of(row + std::string(1, '\0') + length + address.substr(2)), Error);
  EXPECT_THROW(table_of(row + std::string(2, '\0')), Error);  // no opcode
  // A unit that ends within its header or an opcode: once the length left wrapped below zero.
  for (int length = 0; length < 22; ++length) EXPECT_THROW(table_of(address + row, length), Error);
  for (int cut : {24, 32, 34, 35})
    EXPECT_THROW(LineTable(table_of(address + row, cut)), Error) << cut;
}

TEST(LineTable, UnknownFunctionsAndSectionsAreEmpty) {
  LOCKSTEP_NEEDS_MODULE(kKernels);
  const Cubin cubin = Cubin::read(test_module(kKernels, ".cubin"));
  EXPECT_TRUE(LineTable(cubin, ".nv_debug_line_sass").lines("no_such", 4).empty());
  EXPECT_TRUE(LineTable(cubin, ".no_such_section").empty());
}

}  // namespace
}  // namespace lockstep::emulator
