// SPDX-License-Identifier: Apache-2.0
// Another number that has a name, another element that the compiler knows.
#include <bit>

#include "emulator/mutate/mutation_maker.h"

namespace lockstep::emulator {

// Whether the operand is that number, or shifts by its logarithm.
bool MutationMaker::stands_for(const Instruction& in, size_t k, int64_t value) {
  const Opcode op(in.opcode);
  const Operand& o = in.operands[k];
  if (o.kind != Operand::Kind::kInteger || is_float(op.type())) return false;
  if (op.root != "shl" && op.root != "shr") return static_cast<int64_t>(o.bits) == value;
  const bool scales = op.text.ends_with(".b64");  // to bytes of an address
  return k == 2 && !scales && o.bits < 31 && int64_t{1} << o.bits == value;
}

std::optional<Instruction> MutationMaker::with_number(const Instruction& in, size_t k,
                                                      int64_t value) {
  Instruction instead = in;
  const Opcode op(in.opcode);
  const bool shifts = op.root == "shl" || op.root == "shr";
  const bool power = value > 0 && std::has_single_bit(static_cast<uint64_t>(value));
  if (shifts && !power && op.root == "shr") return std::nullopt;
  if (shifts && !power) instead.opcode = kept("mul.lo.s32");
  instead.operands[k] =
      integer(shifts && power ? std::countr_zero(static_cast<uint64_t>(value)) : value);
  return instead;
}

// A number with a name: another one wherever it stands.
void MutationMaker::named_numbers() {
  struct Named {
    int64_t value = 0;
    int line = 0;
    std::vector<std::pair<uint32_t, size_t>> at;  // instructions, operands
  };
  std::map<std::string, Named> all;
  for (uint32_t i = 0; i < f_->code.size(); ++i) {
    const Instruction& in = f_->code[i];
    if (line_at(i) == 0) continue;
    for (const uint32_t e : to_.info_.variables_at(number_, i)) {
      const Home home = to_.info_.home_of(e, number_, i);
      const int declared = to_.info_.dwarf().entries[e].line;
      if (home.kind != Home::Kind::kConstant || home.constant < 2) continue;
      if (line_at(i) < declared) continue;
      for (size_t k = 1; k < in.operands.size(); ++k) {
        if (!stands_for(in, k, home.constant)) continue;
        Named& named = all[to_.info_.dwarf().name_of(e)];
        named.value = home.constant;
        named.line = declared;
        named.at.emplace_back(i, k);
        break;
      }
    }
  }
  for (const auto& [name, named] : all) {
    if (named.at.size() < 2 || named.line <= 0) continue;  // one alone is changed as it stands
    const int64_t v = named.value;
    std::set<int64_t> others = {v * 2, v / 2, v + 1, v - 1, v * 4, v / 4, v * 8};
    others.insert(numbers_.begin(), numbers_.end());
    for (const int64_t other : others) {
      if (other == v || other < 1) continue;
      Mutation m = phrased(named.at[0].first, kOther, "", named.line);
      m.phrase = "with `" + name + " = " + std::to_string(other) + "` in place of " +
                 std::to_string(v) + " in line " + std::to_string(named.line);
      bool can = true;
      for (const auto& [i, k] : named.at) {
        const std::optional<Instruction> instead = with_number(f_->code[i], k, other);
        can &= instead.has_value();
        if (!can) break;
        if (m.instead.empty())
          m.instead = {*instead};
        else
          m.replaced.emplace_back(i, *instead);
      }
      if (can) put(std::move(m));
    }
  }
}

// p[1], a[2], v.x: an element that the compiler knows. Others of what it is part of, where that is
// known, else those nearby, those that other accesses to it have, and as far from these.
void MutationMaker::other_places(const Instruction& in, const Opcode& op) {
  constexpr int64_t kMost = 32;
  if (op.has("param") || in.operands.size() < 2) return;
  const size_t k = op.root == "st" ? 0 : 1;
  const Operand& address = in.operands[k];
  if (address.kind != Operand::Kind::kAddress) return;
  const int64_t bytes = accessed(in);
  std::set<int64_t> offsets;
  if (const CodeWords::Local* local = words_->local_at(address)) {
    for (int64_t at = local->first; at + bytes <= local->end && at < local->first + kMost * bytes;
         at += bytes)
      offsets.insert(at);
  } else {
    offsets = {address.offset - bytes, address.offset + bytes};
    for (const Instruction& other : f_->code)
      for (const Operand& o : other.operands)
        if (o.kind == Operand::Kind::kAddress && o.has_register == address.has_register &&
            o.reg == address.reg && o.name == address.name)
          offsets.insert({o.offset, address.offset + o.offset, address.offset - o.offset});
  }
  for (const int64_t offset : offsets) {
    Instruction instead = in;
    instead.operands[k].offset = offset;
    if (offset != address.offset) add_one(instead, kNearby);
  }
}

}  // namespace lockstep::emulator
