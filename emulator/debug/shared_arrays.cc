// SPDX-License-Identifier: Apache-2.0
#include "emulator/debug/shared_arrays.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "emulator/code/locations.h"
#include "emulator/code/opcode.h"
#include "emulator/debug/debug_info.h"

namespace lockstep::emulator {
namespace {

bool is_access(const Opcode& op) {
  return op.root == "ld" || op.root == "st" || op.root == "atom" || op.root == "red";
}

class Addresses {
 public:
  Addresses(const Module& module, const Function& f) {
    for (const std::vector<Variable>* all : {&module.variables, &f.variables})
      for (const Variable& v : *all)
        if (v.space == Space::kShared) shared_.insert(v.name);
    for (const Instruction& in : f.code)
      if (!in.operands.empty() && in.operands[0].kind == Operand::Kind::kRegister)
        set_by_.emplace(in.operands[0].reg, &in);
  }

  // The shared variables that the address of an access is made of.
  std::vector<std::string_view> of(const Instruction& access) {
    std::vector<std::string_view> names;
    std::set<uint32_t> seen;
    std::vector<const Operand*> open;
    for (const Operand& o : access.operands)
      if (o.kind == Operand::Kind::kAddress) open.push_back(&o);
    while (!open.empty()) {
      const Operand& o = *open.back();
      open.pop_back();
      if (shared_.contains(o.name)) names.push_back(o.name);
      const bool in_register = o.kind == Operand::Kind::kRegister || o.has_register;
      if (!in_register || !seen.insert(o.reg).second) continue;
      const auto [first, end] = set_by_.equal_range(o.reg);
      for (auto set = first; set != end; ++set)
        if (!is_access(Opcode(set->second->opcode)))
          for (size_t k = 1; k < set->second->operands.size(); ++k)
            open.push_back(&set->second->operands[k]);
    }
    return names;
  }

 private:
  std::set<std::string_view> shared_;
  std::multimap<uint32_t, const Instruction*> set_by_;  // by register
};

}  // namespace

std::vector<LineOrigins::Array> shared_arrays_of(const Module& module, const std::string& file,
                                                 int line) {
  std::vector<LineOrigins::Array> arrays;
  std::optional<DebugInfo> info;  // is read where there is an array
  for (const Function& f : module.functions) {
    std::optional<Addresses> addresses;
    for (const Instruction& in : f.code) {
      if (!is_access(Opcode(in.opcode)) || line_in(file, module, f, in.location) != line) continue;
      if (!addresses) addresses.emplace(module, f);
      for (const std::string_view name : addresses->of(in)) {
        if (!info) info.emplace(module);
        const LineOrigins::Array array{demangled_variable(name), info->line_of_symbol(name)};
        if (std::find(arrays.begin(), arrays.end(), array) == arrays.end()) arrays.push_back(array);
      }
    }
  }
  return arrays;
}

}  // namespace lockstep::emulator
