// SPDX-License-Identifier: Apache-2.0
// Scopes and locations. See debug_info.h.
#include "emulator/debug/debug_info.h"

#include <algorithm>
#include <charconv>

#include "common/base/error.h"

namespace lockstep::emulator {
namespace {

constexpr uint8_t kOpAddress = 0x03, kOpPlusConstant = 0x23, kOpRegister = 0x90, kOpBase = 0x92;

bool is_variable(uint64_t tag) { return tag == dwarf::kVariable || tag == dwarf::kParameter; }
bool is_block(uint64_t tag) { return tag == dwarf::kBlock || tag == dwarf::kInlined; }

}  // namespace

DebugInfo::DebugInfo(const Module& module) : module_(module), dwarf_(read_dwarf(module)) {
  if (dwarf_.entries.empty()) throw Error(module.name + ": no debug information; make it with -G");
  for (uint32_t f = 0; f < module.functions.size(); ++f)
    for (const Label& label : module.functions[f].labels)
      if (!label.is_table) labels_.emplace(label.name, Place{f, label.at});
  for (uint32_t e = 0; e < dwarf_.entries.size(); ++e) {
    const Entry& entry = dwarf_.entries[e];
    if (entry.tag == dwarf::kVariable && !is_of_function(e)) of_module_.push_back(e);
    if (entry.tag != dwarf::kSubprogram) continue;
    const auto low = labels_.find(entry.low);
    if (low != labels_.end()) subprograms_.emplace(low->second.function, e);
  }
}

bool DebugInfo::is_of_function(uint32_t variable) const {
  const uint32_t parent = dwarf_.entries[variable].parent;
  return parent != kNoEntry && dwarf_.entries[parent].tag != dwarf::kUnit &&
         dwarf_.entries[parent].tag != dwarf::kNamespace;
}

// From label to label; where there are none, everywhere.
bool DebugInfo::within(std::string_view low, std::string_view high, uint32_t function,
                       uint32_t instruction) const {
  if (low.empty() && high.empty()) return true;
  const auto from = labels_.find(low), to = labels_.find(high);
  return from != labels_.end() && to != labels_.end() && from->second.function == function &&
         to->second.function == function && from->second.instruction <= instruction &&
         instruction < to->second.instruction;
}

std::vector<uint32_t> DebugInfo::variables_at(uint32_t function, uint32_t instruction) const {
  std::vector<uint32_t> all = of_module_;
  const auto found = subprograms_.find(function);
  if (found == subprograms_.end()) return all;
  const std::vector<Entry>& entries = dwarf_.entries;
  // Entries lie in depth-first order, so those of inner blocks come after their outer blocks'
  // parameters, but not after all of their variables.
  std::vector<std::pair<uint32_t, uint32_t>> by_depth;  // depth, entry
  std::vector<uint32_t> open;                           // ends of the blocks around
  for (uint32_t e = found->second + 1; e < entries[found->second].end;) {
    while (!open.empty() && e >= open.back()) open.pop_back();
    const Entry& entry = entries[e];
    if (is_variable(entry.tag)) by_depth.emplace_back(static_cast<uint32_t>(open.size()), e);
    if (is_block(entry.tag) && within(entry.low, entry.high, function, instruction)) {
      open.push_back(entry.end);
      ++e;
    } else {
      e = std::max(entry.end, e + 1);
    }
  }
  std::stable_sort(by_depth.begin(), by_depth.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  for (const auto& [depth, e] : by_depth) all.push_back(e);
  return all;
}

uint32_t DebugInfo::find(uint32_t function, uint32_t instruction, std::string_view name) const {
  const std::vector<uint32_t> all = variables_at(function, instruction);
  for (auto e = all.rbegin(); e != all.rend(); ++e)
    if (dwarf_.name_of(*e) == name) return *e;
  return kNoEntry;
}

Home DebugInfo::home_of(uint32_t variable, uint32_t function, uint32_t instruction) const {
  const Entry& e = dwarf_.entries[variable];
  if (e.location_bytes != 0) return home_at(dwarf_.info, e.location, e.location_bytes, function);
  if (e.location_list) return home_in_list(*e.location_list, function, instruction);
  Home home;
  if (e.constant) home.kind = Home::Kind::kConstant, home.constant = *e.constant;
  return home;
}

int DebugInfo::line_of_symbol(std::string_view symbol) const {
  for (const Entry& e : dwarf_.entries)
    if (is_variable(e.tag) && e.location_bytes != 0 && e.line > 0 &&
        home_at(dwarf_.info, e.location, e.location_bytes, 0).symbol == symbol)
      return e.line;
  return 0;
}

Home DebugInfo::home_in_list(uint64_t list, uint32_t function, uint32_t instruction) const {
  SectionReader in(dwarf_.lists, static_cast<size_t>(list));
  while (!in.at_end()) {
    const std::string_view low = in.symbol(), high = in.symbol();
    if (low.empty() || high.empty()) break;
    const auto bytes = static_cast<size_t>(in.number(2));
    const size_t at = in.at();
    in.skip(bytes);
    if (within(low, high, function, instruction)) return home_at(dwarf_.lists, at, bytes, function);
  }
  return {};
}

Home DebugInfo::home_at(const Section& section, size_t at, size_t bytes, uint32_t function) const {
  SectionReader in(section, at);
  Home home;
  while (in.at() < at + bytes) {
    const uint64_t op = in.number(1);
    if (op == kOpAddress) {
      home.kind = Home::Kind::kSymbol;
      home.symbol = in.symbol();
    } else if (op == kOpRegister || op == kOpBase) {
      if (!find_register(function, in.uleb(), &home.reg)) return {};
      home.kind = op == kOpBase ? Home::Kind::kPointer : Home::Kind::kRegister;
      if (op == kOpBase) home.offset = in.sleb();
    } else if (op == kOpPlusConstant && home.kind != Home::Kind::kRegister) {
      home.offset = static_cast<int64_t>(static_cast<uint64_t>(home.offset) + in.uleb());
    } else {
      return {};
    }
  }
  return home;
}

// A register's number is its name, the first letter highest: "%r1" is 0x257231.
bool DebugInfo::find_register(uint32_t function, uint64_t packed, uint32_t* reg) const {
  char letters[8];
  size_t n = 0;
  for (int shift = 56; shift >= 0; shift -= 8) {
    const char c = static_cast<char>(packed >> shift & 0xff);
    if (c != 0) letters[n++] = c;
  }
  const std::string_view name(letters, n);
  const size_t digits = name.find_last_not_of("0123456789") + 1;
  for (const RegisterRange& range : module_.functions[function].register_names) {
    if (range.count == 0 && range.name == name) return *reg = range.first, true;
    uint32_t number = 0;
    if (range.count == 0 || range.name != name.substr(0, digits)) continue;
    const auto [end, error] =
        std::from_chars(name.data() + digits, name.data() + name.size(), number);
    if (error != std::errc() || end != name.data() + name.size() || number >= range.count) continue;
    return *reg = range.first + number, true;
  }
  return false;
}

}  // namespace lockstep::emulator
