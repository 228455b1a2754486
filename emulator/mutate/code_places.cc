// SPDX-License-Identifier: Apache-2.0
// Words for the places of loads and stores: see code_words.h.
#include <fmt/format.h>

#include <cstdlib>
#include <iterator>
#include <utility>

#include "common/base/quoted.h"
#include "emulator/code/locations.h"
#include "emulator/code/opcode.h"
#include "emulator/mutate/code_words.h"
#include "emulator/mutate/operands.h"
#include "emulator/mutate/word_parts.h"

namespace lockstep::emulator {

using namespace words;

int64_t accessed(const Instruction& in) {
  const Opcode op(in.opcode);
  const Operand& value = in.operands[op.root == "st" ? 1 : 0];
  const size_t parts = value.kind == Operand::Kind::kVector ? value.parts.size() : 1;
  return static_cast<int64_t>(type_bytes(op.type()) * parts);
}

void CodeWords::measure_locals() {
  int64_t end = 0;
  for (const emulator::Variable& v : f_.variables)
    if (v.name.starts_with(kLocals)) end = static_cast<int64_t>(v.bytes);
  for (auto at = locals_.rbegin(); at != locals_.rend(); ++at)
    at->second.end = std::exchange(end, at->first);
}

const CodeWords::Local* CodeWords::local_at(const Operand& address) const {
  if (address.kind != Operand::Kind::kAddress) return nullptr;
  std::string_view symbol = address.has_register ? std::string_view() : address.name;
  uint32_t reg = address.reg;
  // %SP is a generic address of what %SPL is in its own space.
  for (int steps = 0; address.has_register && symbol.empty() && steps < kDeepest; ++steps) {
    const Instruction* in = definition(reg);
    if (in == nullptr || in->operands.size() != 2) return nullptr;
    const Opcode op(in->opcode);
    if (op.root != "mov" && op.root != "cvta") return nullptr;
    const Operand& from = in->operands[1];
    if (is_register(from))
      reg = from.reg;
    else
      symbol = from.name;
  }
  if (!symbol.starts_with(kLocals)) return nullptr;
  auto next = locals_.upper_bound(address.offset);
  return next == locals_.begin() ? nullptr : &std::prev(next)->second;
}

// "[2]", ".y" or "[2].y": what lies so many bytes behind the beginning of a variable.
std::string CodeWords::part_of(uint32_t type, int64_t offset) const {
  const Dwarf& dwarf = info_.dwarf();
  if (type == kNoEntry) return {};
  const Entry& whole = dwarf.entries[type];
  if (whole.tag == dwarf::kArray) {
    const uint32_t element = dwarf.type_of(type);
    const auto bytes = element == kNoEntry ? 0 : static_cast<int64_t>(dwarf.entries[element].bytes);
    int dimensions = 0;
    for (uint32_t e = type + 1; e < whole.end; e = dwarf.entries[e].end)
      dimensions += dwarf.entries[e].tag == dwarf::kSubrange ? 1 : 0;
    if (bytes == 0 || dimensions != 1) return "[...]";
    return "[" + std::to_string(offset / bytes) + "]" + part_of(element, offset % bytes);
  }
  if (whole.tag != dwarf::kStructure) return {};
  for (uint32_t e = type + 1; e < whole.end; e = dwarf.entries[e].end) {
    const Entry& member = dwarf.entries[e];
    const uint32_t of = dwarf.type_of(e);
    if (member.tag != dwarf::kMember || of == kNoEntry) continue;
    const auto from = static_cast<int64_t>(member.member_offset);
    if (offset < from || offset >= from + static_cast<int64_t>(dwarf.entries[of].bytes)) continue;
    return "." + shown_word(member.name, kLongName) + part_of(of, offset - from);
  }
  return {};
}

// What the elements' size was multiplied with.
std::string CodeWords::index(const Operand& scaled, int depth) const {
  const Instruction* in = is_register(scaled) ? definition(scaled.reg) : nullptr;
  if (in == nullptr) return operand(scaled, 0, depth);
  const Opcode op(in->opcode);
  const bool scales = op.root == "shl" || op.root == "mul";
  return scales ? operand(in->operands[1], 0, depth) : operand(scaled, 0, depth);
}

std::string CodeWords::element(const Operand& address, int64_t bytes, int depth) const {
  if (depth > kDeepest) return kUnknown;
  if (const Local* local = local_at(address))
    return local->name +
           part_of(info_.dwarf().type_of(local->variable), address.offset - local->first);
  if (!address.has_register) return shown_word(demangled_variable(address.name), kLongName);
  if (const std::string* name = name_of(address.reg)) {
    if (*name == "%SP") return kUnknown;
    if (address.offset == 0) return "*" + *name;
    const bool whole = bytes > 0 && address.offset % bytes == 0;
    return *name + "[" + (whole ? std::to_string(address.offset / bytes) : "...") + "]";
  }
  const Instruction* in = definition(address.reg);
  if (in == nullptr) return kUnknown;
  const Opcode op(in->opcode);
  if (op.root == "cvta" || op.root == "mov") {
    if (in->operands.size() < 2) return kUnknown;
    if (!is_register(in->operands[1])) return operand(in->operands[1], kUnary, depth + 1);
    Operand inner = address;
    inner.reg = in->operands[1].reg;
    return element(inner, bytes, depth + 1);
  }
  if (op.root != "add" || in->operands.size() < 3) return kUnknown;
  const Operand& base = in->operands[1];
  if (in->operands[2].kind == Operand::Kind::kInteger) {
    const auto at = locals_.find(static_cast<int64_t>(in->operands[2].bits));
    return at == locals_.end() ? kUnknown : at->second.name;
  }
  if (!is_register(base)) return kUnknown;
  std::string array;
  if (const std::string* name = name_of(base.reg)) {
    array = *name;
  } else {
    Operand inner = address;
    inner.reg = base.reg;
    array = element(inner, 0, depth + 1);
  }
  std::string number = index(in->operands[2], depth + 1);
  if (address.offset != 0 && bytes > 0 && address.offset % bytes == 0)
    number +=
        fmt::format(" {} {}", address.offset < 0 ? '-' : '+', std::abs(address.offset / bytes));
  return array + "[" + number + "]";
}

}  // namespace lockstep::emulator
