// SPDX-License-Identifier: Apache-2.0
// The sign: accesses of a PTX block without any SASS, and as many bytes too much at another of the
// same opcode. Which part is whose does not matter to sums.
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
