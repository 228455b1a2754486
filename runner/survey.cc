// SPDX-License-Identifier: Apache-2.0
// A walk over a parsed module: all of it, since what is not there cannot be executed. See survey.h.
#include "runner/survey.h"

#include <algorithm>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>

#include "common/backend/backend.h"
#include "common/base/error.h"
#include "emulator/cubin/cubin.h"
#include "emulator/ptx/parser.h"
#include "runner/launched.h"

namespace lockstep {
namespace {

using namespace emulator;

constexpr int kMostUses = 4;  // of a name
constexpr size_t kDeepestInlining = 32;
constexpr size_t kMostFiles = 2000;
constexpr size_t kMostSaid = 900'000;  // bytes

bool is_operation(std::string_view opcode, std::string_view name) {
  return opcode.substr(0, name.size()) == name &&
         (opcode.size() == name.size() || opcode[name.size()] == '.');
}

// Variables of the function that it stands in are none of these.
bool mentions(const Operand& operand, std::string_view name) {
  if (operand.name == name && operand.variable < 0 &&
      (operand.kind == Operand::Kind::kSymbol || operand.kind == Operand::Kind::kAddress))
    return true;
  return std::any_of(operand.parts.begin(), operand.parts.end(),
                     [&](const Operand& part) { return mentions(part, name); });
}

// A special register that launch and thread alone determine; the others tell of the machine that
// executes it, or of the time (PTX ISA, "Special Registers").
bool is_of_the_launch(std::string_view name) {
  static const std::set<std::string_view> kNames = {"%tid",
                                                    "%ntid",
                                                    "%ctaid",
                                                    "%nctaid",
                                                    "%laneid",
                                                    "%lanemask_eq",
                                                    "%lanemask_le",
                                                    "%lanemask_lt",
                                                    "%lanemask_ge",
                                                    "%lanemask_gt",
                                                    "%dynamic_smem_size",
                                                    "%total_smem_size",
                                                    "%aggr_smem_size"};
  return kNames.count(name.substr(0, name.find('.'))) > 0 ||
         name.starts_with("%reserved_smem_offset_");
}

// Kernels are found by what their names say. A name that says what another one does, as one that a
// text gives itself (extern "C") may, would be launched in its place.
void require_own_names(const Module& module) {
  std::map<std::string, std::string_view> known;
  for (const Function& f : module.functions) {
    if (!f.is_entry) continue;
    const std::string said =
        kernel_name(std::string(f.name)) + kernel_signature(std::string(f.name));
    const auto [other, is_new] = known.try_emplace(said, f.name);
    if (!is_new)
      throw Error("two kernels are called " + said + ": " + std::string(other->second) + " and " +
                  std::string(f.name));
  }
}

class Survey {
 public:
  Survey(const Module& module, const std::vector<std::string>& names)
      : module_(module), names_(names) {}

  nlohmann::json run() {
    for (const Variable& v : module_.variables) take(v);  // those of functions are among them
    for (const Function& f : module_.functions) {
      for (const Instruction& in : f.code) {
        for (const std::string& name : names_)
          if (uses(in, name)) add(name, places(f, in.location));
        for (const Operand& operand : in.operands) take_register(operand, f, in.location);
      }
    }
    nlohmann::json files = nlohmann::json::array();
    for (const auto& [number, file] : module_.files)
      if (files.size() < kMostFiles) files.push_back(file);
    return {{"bytes", bytes_}, {"files", files}, {"uses", uses_}};
  }

 private:
  void take(const Variable& v) {
    constexpr uint64_t kHuge = uint64_t{1} << 50;
    if (v.space == Space::kGlobal || v.space == Space::kConst)
      bytes_ = std::min(kHuge, bytes_ + std::min(kHuge, v.bytes));
    for (const Initializer& value : v.initial)
      for (const std::string& name : names_)
        if (value.symbol == name && is_elsewhere(name)) add(name, nlohmann::json::array());
  }

  void take_register(const Operand& operand, const Function& f, int location) {
    if (operand.kind == Operand::Kind::kSymbol && operand.variable < 0 &&
        operand.name.starts_with('%') && !is_of_the_launch(operand.name))
      add(std::string(operand.name), places(f, location));
    for (const Operand& part : operand.parts) take_register(part, f, location);
  }

  // A name is an operation's where it is an opcode, and a function's where it is a symbol that the
  // module declares, or calls, and does not define itself. All else may be called what it likes.
  bool uses(const Instruction& in, std::string_view name) const {
    if (is_operation(in.opcode, name)) return true;
    const bool foreign = is_operation(in.opcode, "call") ? !is_defined(name) : is_elsewhere(name);
    return foreign &&
           (mentions(in.pair, name) ||
            std::any_of(in.operands.begin(), in.operands.end(),
                        [&](const Operand& operand) { return mentions(operand, name); }));
  }
  const Function* find(std::string_view name) const {
    const auto at = module_.function_index.find(name);
    return at == module_.function_index.end() ? nullptr : &module_.functions[at->second];
  }
  bool is_defined(std::string_view name) const {
    return find(name) != nullptr && find(name)->has_body;
  }
  bool is_elsewhere(std::string_view name) const {
    return find(name) != nullptr && !find(name)->has_body;
  }

  nlohmann::json places(const Function& f, int location) const {
    nlohmann::json at = nlohmann::json::array();
    while (location >= 0 && at.size() < kDeepestInlining) {
      const Location& place = f.locations[static_cast<size_t>(location)];
      const auto file = module_.files.find(place.file);
      at.push_back({file == module_.files.end() ? "" : file->second, place.line});
      location = place.inlined_at;
    }
    return at;
  }

  void add(const std::string& name, nlohmann::json at) {
    nlohmann::json use = {{"name", name}, {"at", std::move(at)}};
    if (count_[name] >= kMostUses || use == last_) return;
    ++count_[name];
    last_ = use;
    uses_.push_back(std::move(use));
  }

  const Module& module_;
  const std::vector<std::string>& names_;
  uint64_t bytes_ = 0;
  std::map<std::string, int> count_;
  nlohmann::json uses_ = nlohmann::json::array(), last_;
};

}  // namespace

std::string survey_ptx(const std::string& path, const std::vector<std::string>& kernels,
                       const std::vector<std::string>& names, const std::string& launched) {
  nlohmann::json out;
  std::optional<std::string> text;
  try {
    Module module = read_ptx_file(path);
    require_own_names(module);
    if (!kernels.empty()) text = launched_part(module, kernels);
    if (text) module = parse_ptx(*text, path.substr(path.rfind('/') + 1));
    const Problem& lost = module.lost_variable;
    if (!lost.what.empty())
      throw Error("line " + std::to_string(lost.line) +
                  " may declare a variable and was not understood: " + lost.what);
    out = Survey(module, names).run();
    out["whole"] = !text;
  } catch (const Error& e) {
    out = {{"error", e.what()}};
  }
  if (text && !(std::ofstream(launched, std::ios::binary) << *text << std::flush))
    throw Error(launched + " cannot be written", kExitCannotRun);
  const auto said = [&] {
    return out.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
  };
  if (said().size() > kMostSaid) out = {{"error", "the names in it take too much room"}};
  return said();
}

std::string other_code(const std::string& whole_file, const std::string& part_file) {
  const Cubin whole = Cubin::read(whole_file), part = Cubin::read(part_file);
  const auto same_relocation = [](const Cubin::Relocation& a, const Cubin::Relocation& b) {
    return std::tie(a.offset, a.type, a.symbol, a.addend) ==
           std::tie(b.offset, b.type, b.symbol, b.addend);
  };
  const auto resources = [](const CubinKernel& k) {
    return std::tuple(k.registers, k.shared_bytes, k.local_bytes, k.max_threads_per_block,
                      k.parameter_bytes);
  };
  for (const std::string& name : part.functions()) {
    const auto a = whole.relocations(".text." + name), b = part.relocations(".text." + name);
    if (whole.code(name) != part.code(name) ||
        !std::equal(a.begin(), a.end(), b.begin(), b.end(), same_relocation))
      return name;
  }
  for (const CubinKernel& kernel : part.kernels()) {
    const CubinKernel* other = whole.find_kernel(kernel.name);
    if (other == nullptr || resources(*other) != resources(kernel)) return kernel.name;
  }
  return {};
}

}  // namespace lockstep
