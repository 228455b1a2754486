// SPDX-License-Identifier: Apache-2.0
// Widths of SASS accesses by PTX line; spills are the local accesses of lines that ask for none.
#include "emulator/access_width.h"

#include <vector>

#include "common/base/error.h"
#include "emulator/line_table.h"
#include "emulator/sass.h"

namespace lockstep::emulator {
namespace {

bool is_access(SassKind kind) {
  switch (kind) {
    case SassKind::kGlobalLoad:
    case SassKind::kGlobalStore:
    case SassKind::kSharedLoad:
    case SassKind::kSharedStore:
    case SassKind::kLocalLoad:
    case SassKind::kLocalStore:
      return true;
    default:
      return false;
  }
}

// The PTX text as ptxas keeps it: one zero-terminated string a line.
std::vector<std::string_view> kept_lines(const Cubin& cubin) {
  std::vector<std::string_view> lines;
  std::string_view text = cubin.section(".nv_debug_ptx_txt");
  while (!text.empty()) {
    const size_t end = text.find('\0');
    lines.push_back(text.substr(0, end));
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return lines;
}

}  // namespace

std::unordered_map<int, int> access_widths(const Cubin& cubin, const std::string& kernel) {
  std::unordered_map<int, int> widths;
  const CubinKernel* found = cubin.find_kernel(kernel);
  if (!found) return widths;
  const std::vector<SassInstruction> code = decode_sass(found->code, cubin.sm());
  std::vector<uint32_t> lines;
  try {
    lines = LineTable(cubin, ".nv_debug_line_sass").lines(kernel, code.size());
  } catch (const Error&) {
    return widths;
  }
  for (size_t i = 0; i < lines.size(); ++i) {
    if (!is_access(code[i].kind) || code[i].never || code[i].bytes == 0) continue;
    const auto [at, fresh] = widths.emplace(int(lines[i]), code[i].bytes);
    if (!fresh && at->second != code[i].bytes) at->second = 0;
  }
  std::erase_if(widths, [](const auto& item) { return item.second == 0; });
  return widths;
}

int64_t spill_bytes(const Cubin& cubin, const std::string& kernel) {
  const CubinKernel* found = cubin.find_kernel(kernel);
  if (!found) return -1;
  if (found->local_bytes == 0) return 0;
  const std::vector<SassInstruction> code = decode_sass(found->code, cubin.sm());
  std::vector<uint32_t> lines;
  try {
    lines = LineTable(cubin, ".nv_debug_line_sass").lines(kernel, code.size());
  } catch (const Error&) {
    return -1;
  }
  const std::vector<std::string_view> text = kept_lines(cubin);
  if (lines.empty() || text.empty()) return -1;
  int64_t bytes = 0;
  for (size_t i = 0; i < lines.size(); ++i) {
    if (code[i].kind != SassKind::kLocalLoad && code[i].kind != SassKind::kLocalStore) continue;
    const std::string_view line =
        lines[i] >= 1 && lines[i] <= text.size() ? text[lines[i] - 1] : "";
    const bool programmed = line.find("ld.local") != std::string_view::npos ||
                            line.find("st.local") != std::string_view::npos;
    if (!programmed) bytes += code[i].bytes;
  }
  return bytes;
}

}  // namespace lockstep::emulator
