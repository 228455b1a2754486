// SPDX-License-Identifier: Apache-2.0
#include "emulator/line_table.h"

#include <gtest/gtest.h>

#include <sstream>

#include "emulator/sass.h"
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
    const auto code = decode_sass(kernel.code, cubin.sm());
    const std::vector<uint32_t> lines = table.lines(kernel.name, code.size());
    for (size_t i = 0; i < code.size(); ++i) {
      const char* wanted = code[i].kind == SassKind::kGlobalLoad    ? "ld.global"
                           : code[i].kind == SassKind::kGlobalStore ? "st.global"
                           : code[i].kind == SassKind::kSharedLoad  ? "ld.shared"
                           : code[i].kind == SassKind::kSharedStore ? "st.shared"
                           : code[i].kind == SassKind::kBarrier     ? "bar"
                           : code[i].kind == SassKind::kShuffle     ? "shfl"
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

TEST(LineTable, UnknownFunctionsAndSectionsAreEmpty) {
  LOCKSTEP_NEEDS_MODULE(kKernels);
  const Cubin cubin = Cubin::read(test_module(kKernels, ".cubin"));
  EXPECT_TRUE(LineTable(cubin, ".nv_debug_line_sass").lines("no_such", 4).empty());
  EXPECT_TRUE(LineTable(cubin, ".no_such_section").empty());
}

}  // namespace
}  // namespace lockstep::emulator
