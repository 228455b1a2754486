// SPDX-License-Identifier: Apache-2.0
// Of joined accesses the sign: accesses of a PTX block without any SASS, and as many bytes too much
// at another of the same opcode. Which part is whose does not matter to sums. Parts of one access:
// narrower, off one address register, beside each other within its width.
#include "emulator/sass_split.h"

#include <algorithm>
#include <cstdlib>

namespace lockstep::emulator {
namespace {

bool is_access(OpClass op) {
  return op == OpClass::kGlobalLoad || op == OpClass::kGlobalStore || op == OpClass::kSharedLoad ||
         op == OpClass::kSharedStore;
}

class Parts {
 public:
  Parts(const KernelProfile& profile, SassMap* map) : p_(profile), m_(*map) {}

  void run() {
    m_.parted.assign(p_.instructions.size(), false);
    copies_.resize(p_.instructions.size());
    for (int p = 0; p < int(p_.instructions.size()); ++p) find_copies(p);
    for (int p = 0; p < int(p_.instructions.size()); ++p) {
      if (!is_access(p_.instructions[p].op)) continue;
      const std::vector<int> parts = copies_[p];
      if (parts.size() > 1 && in_one_block(parts)) share(p, parts);
    }
    m_.continues.assign(m_.graph.code.size(), false);
    for (int p = 0; p < int(p_.instructions.size()); ++p) find_parts(p);
  }

 private:
  void find_copies(int p) {
    if (!is_access(p_.instructions[p].op)) return;
    for (int i : m_.sass[p]) {
      if (m_.cold[m_.graph.block_of[i]]) continue;
      if (same_operation(m_.graph.code[i].kind, p_.instructions[p].op)) copies_[p].push_back(i);
    }
  }

  bool in_one_block(const std::vector<int>& parts) const {
    return std::all_of(parts.begin(), parts.end(),
                       [&](int i) { return m_.graph.block_of[i] == m_.graph.block_of[parts[0]]; });
  }

  // The rest of what the parts were one access of.
  std::vector<int> gone(int p) const {
    const BlockProfile& block = p_.blocks[p_.instructions[p].block];
    std::vector<int> found;
    for (int q = block.first; q < block.last; ++q) {
      if (q != p && p_.instructions[q].opcode == p_.instructions[p].opcode && copies_[q].empty())
        found.push_back(q);
    }
    return found;
  }

  // An unrolled loop has several of everything.
  bool unrolled(int p) const {
    const int b = p_.instructions[p].block;
    if (m_.ptx_depth[b] == 0) return false;
    for (int q = p_.blocks[b].first; q < p_.blocks[b].last; ++q) {
      if (is_access(p_.instructions[q].op) && copies_[q].size() == 1) return false;
    }
    return true;
  }

  void share(int p, const std::vector<int>& parts) {
    const std::vector<int> others = gone(p);
    if (others.empty() || unrolled(p)) return;
    const int bytes = access_bytes(p_.instructions[p].opcode);
    int whole = 0;
    bool alike = true;
    for (int i : parts) {
      whole += m_.graph.code[i].bytes;
      alike &= m_.graph.code[i].bytes == bytes;
    }
    if (whole != bytes * int(others.size() + 1)) return;
    if (!alike) {
      m_.parted[p] = true;
      return;
    }
    for (size_t k = 0; k < others.size(); ++k) {
      const int i = parts[k + 1], q = others[k];
      m_.ptx[i] = q;
      m_.sass[q].push_back(i);
      std::erase(m_.sass[p], i);
      copies_[q] = {i};
    }
    copies_[p] = {parts[0]};
  }

  // What ptxas makes of a wide access of which not all is used. A copy of the access (an unrolled
  // turn) has another address, or the same bytes again.
  void find_parts(int p) {
    const InstructionProfile& ptx = p_.instructions[p];
    const int bytes = access_bytes(ptx.opcode);
    std::vector<std::vector<int>> whole;
    for (int i : m_.sass[p]) {
      const SassInstruction& in = m_.graph.code[i];
      if (!same_operation(in.kind, ptx.op) || in.bytes == 0 || in.bytes >= bytes) continue;
      const auto found = std::find_if(whole.begin(), whole.end(), [&](const auto& parts) {
        return std::all_of(parts.begin(), parts.end(),
                           [&](int other) { return side_by_side(i, other, bytes); });
      });
      m_.continues[i] = found != whole.end();
      if (found == whole.end())
        whole.push_back({i});
      else
        found->push_back(i);
    }
  }

  bool side_by_side(int i, int k, int bytes) const {
    const SassInstruction& a = m_.graph.code[i];
    const SassInstruction& b = m_.graph.code[k];
    const int first = std::min(a.offset, b.offset);
    const int last = std::max(a.offset + a.bytes, b.offset + b.bytes);
    return m_.graph.block_of[i] == m_.graph.block_of[k] && a.base == b.base &&
           last - first >= a.bytes + b.bytes && last - first <= bytes;
  }

  const KernelProfile& p_;
  SassMap& m_;
  std::vector<std::vector<int>> copies_;  // by PTX access: its SASS that may run
};

}  // namespace

int access_bytes(const std::string& opcode) {
  const size_t dot = opcode.rfind('.');
  if (dot == std::string::npos || dot + 2 >= opcode.size()) return 0;
  int lanes = 1;
  if (opcode.find(".v2.") != std::string::npos) lanes = 2;
  if (opcode.find(".v4.") != std::string::npos) lanes = 4;
  return lanes * std::atoi(opcode.c_str() + dot + 2) / 8;
}

void tell_parts_apart(const KernelProfile& profile, SassMap* map) { Parts(profile, map).run(); }

}  // namespace lockstep::emulator
