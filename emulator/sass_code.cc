// SPDX-License-Identifier: Apache-2.0
// A call to another section is a relocation at the call's own address (type 0x4b, found in cubins
// of ptxas 13.0); the instruction holds no target then. See sass_code.h.
#include "emulator/sass_code.h"

#include <algorithm>
#include <string_view>

#include "common/base/error.h"
#include "emulator/line_table.h"

namespace lockstep::emulator {
namespace {

constexpr size_t kMostInstructions = 400000;
constexpr uint32_t kCallRelocation = 0x4b;

// Whether a symbol in a section is a function of the PTX, under its name or as ptxas decorates it:
// "$KERNEL$NAME" in the section of a kernel that calls it, "$__internal_4_$NAME" as its routines if
// the name begins as theirs do, "NAME$15" for a second symbol of one that others may link with.
bool is_ptx_function(const PtxFunctions& functions, std::string_view section,
                     std::string_view symbol) {
  const std::string prefix = "$" + std::string(section) + "$";
  if (symbol.starts_with(prefix)) symbol.remove_prefix(prefix.size());
  if (functions.contains(symbol)) return true;
  constexpr std::string_view kOwn = "$__internal_";
  if (symbol.starts_with(kOwn)) {
    const size_t end = symbol.find_first_not_of("0123456789", kOwn.size());
    if (end != std::string_view::npos && symbol.substr(end).starts_with("_$"))
      symbol.remove_prefix(end + 2);
  }
  if (functions.contains(symbol)) return true;
  const size_t name = symbol.find_last_not_of("0123456789");
  return name != std::string_view::npos && symbol[name] == '$' && name + 1 < symbol.size() &&
         functions.contains(symbol.substr(0, name));
}

class Gatherer {
 public:
  Gatherer(const Cubin& cubin, const PtxFunctions& functions, SassCode* out)
      : cubin_(cubin), functions_(functions), out_(*out), table_(cubin, ".nv_debug_line_sass") {}

  std::string run(const CubinKernel& kernel, const std::string& name) {
    parts_ = {name};
    for (size_t i = 0; i < parts_.size(); ++i) {
      const std::string part = parts_[i];
      if (!append(part, i == 0 ? kernel.code : cubin_.code(part))) return "the kernel is too large";
    }
    if (!known_lines_) return "the cubin has no line table of the kernel (build with -lineinfo)";
    out_.indirect = kernel.indirect;
    return {};
  }

 private:
  // False: too much of it.
  bool append(const std::string& name, std::string_view bytes) {
    const size_t base = out_.code.size(), count = bytes.size() / 16;
    if (count > kMostInstructions - base) return false;
    for (SassInstruction& in : decode_sass(bytes, cubin_.sm())) {
      if (in.target >= 0) in.target += int64_t(base);
      out_.code.push_back(in);
    }
    std::vector<uint32_t> lines = table_.lines(name, count);
    if (base == 0) known_lines_ = !lines.empty();
    lines.resize(count);
    out_.lines.insert(out_.lines.end(), lines.begin(), lines.end());
    for (const auto& [function, offset] : cubin_.functions_in(".text." + name)) {
      if (is_ptx_function(functions_, name, function) && offset / 16 < count)
        out_.starts.push_back(int(base + offset / 16));
    }
    for (const Cubin::Relocation& r : cubin_.relocations(".text." + name)) {
      if (r.type == kCallRelocation && r.offset / 16 < count) call(base + r.offset / 16, r.symbol);
    }
    return true;
  }

  // The callee's section is appended when its turn comes: its place is known from the sizes.
  void call(size_t from, const std::string& callee) {
    if (out_.code[from].kind != SassKind::kCall || cubin_.code(callee).empty()) return;
    size_t part = size_t(std::find(parts_.begin(), parts_.end(), callee) - parts_.begin());
    if (part == parts_.size()) parts_.push_back(callee);
    int64_t place = 0;
    for (size_t i = 0; i < part; ++i) place += int64_t(cubin_.code(parts_[i]).size() / 16);
    out_.code[from].target = place;
  }

  const Cubin& cubin_;
  const PtxFunctions& functions_;
  SassCode& out_;
  LineTable table_;
  std::vector<std::string> parts_;
  bool known_lines_ = false;
};

}  // namespace

std::string gather_sass(const Cubin& cubin, const std::string& kernel,
                        const PtxFunctions& functions, SassCode* out) {
  const CubinKernel* found = cubin.find_kernel(kernel);
  if (!found) return "the cubin lacks the kernel";
  if (found->code.size() < 16) return "the cubin has no code for the kernel";
  try {
    return Gatherer(cubin, functions, out).run(*found, kernel);
  } catch (const Error&) {
    return "the cubin's line table is broken";
  }
}

}  // namespace lockstep::emulator
