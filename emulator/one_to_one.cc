// SPDX-License-Identifier: Apache-2.0
// Shared accesses of PTX and SASS side by side. What cannot be told counts as different.
#include "emulator/one_to_one.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "emulator/sass_split.h"

namespace lockstep::emulator {
namespace {

bool same(double a, double b) { return std::fabs(a - b) < 0.5; }

bool is_shared(SassKind kind) {
  return kind == SassKind::kSharedLoad || kind == SassKind::kSharedStore;
}

bool uses_shared(const InstructionProfile& ptx) {
  return ptx.op == OpClass::kSharedLoad || ptx.op == OpClass::kSharedStore ||
         ((ptx.op == OpClass::kGenericLoad || ptx.op == OpClass::kGenericStore) &&
          ptx.wavefronts > 0);
}

class OneToOne {
 public:
  OneToOne(const SassMap& map, const SassFlow& flow, SassGuards& guards, const KernelProfile& p)
      : m_(map), flow_(flow), guards_(guards), p_(p) {}

  bool holds() {
    if (lanes_drop_out()) return false;
    for (int i = 0; i < int(m_.graph.code.size()); ++i)
      if (is_shared(m_.graph.code[i].kind) && !known(i)) return false;
    for (int p = 0; p < int(p_.instructions.size()); ++p)
      if (uses_shared(p_.instructions[p]) && !corresponds(p)) return false;
    return true;
  }

 private:
  // Lanes of a warp leave a loop at different turns: what they do after their last, and in which
  // of the copies that ptxas made of the loop, is then a matter of where they wait for each other.
  bool lanes_drop_out() const {
    for (int b = 0; b < int(p_.blocks.size()); ++b) {
      const BlockProfile& block = p_.blocks[b];
      if (m_.ptx_depth[b] == 0 || block.last <= block.first) continue;
      uint64_t out = 0;
      bool leaves = false;
      for (size_t k = 0; k < block.successors.size(); ++k) {
        const int to = block.successors[k];
        if (k < block.edge_warps.size()) out += block.edge_warps[k];
        leaves |= to < 0 || to >= int(p_.blocks.size()) || m_.ptx_depth[to] < m_.ptx_depth[b];
      }
      const InstructionProfile& last = p_.instructions[block.last - 1];
      if (leaves && out > last.warps) return true;
      const bool ends = last.op == OpClass::kExit || last.op == OpClass::kReturn;
      if (ends && last.lanes_guard_on != 0 && last.lanes_guard_on != last.lanes) return true;
    }
    return false;
  }

  bool known(int i) const {
    const int p = m_.ptx[i];
    return p >= 0 && same_operation(m_.graph.code[i].kind, p_.instructions[p].op) &&
           !m_.cold[m_.graph.block_of[i]];
  }

  bool corresponds(int p) {
    const InstructionProfile& ptx = p_.instructions[p];
    double warps = 0, lanes = 0;
    int copies = 0, depth = 0;
    bool guarded = false;
    for (int i : m_.sass[p]) {
      const SassInstruction& in = m_.graph.code[i];
      const int b = m_.graph.block_of[i];
      if (!same_operation(in.kind, ptx.op)) continue;
      if (in.bytes != access_bytes(ptx.opcode)) return false;
      ++copies;
      guarded |= in.guarded;
      warps += flow_.blocks[b].warps;
      lanes += guards_.lanes_on(i, b);
      depth = std::max(depth, m_.graph.blocks[b].depth);
    }
    if (copies == 0) return true;  // what stands for it, if anything does, is looked at instead
    if (!same(lanes, double(ptx.lanes_guard_on))) return false;
    if (!guarded && !same(warps, double(ptx.requests))) return false;
    if (copies == 1) return depth == m_.ptx_depth[ptx.block];
    return ptx.lanes_guard_on == 32 * ptx.requests;  // whole warps take each turn in one copy
  }

  const SassMap& m_;
  const SassFlow& flow_;
  SassGuards& guards_;
  const KernelProfile& p_;
};

bool is_executed(const InstructionProfile& ptx, OpClass kind) {
  if (ptx.requests == 0) return false;
  if (ptx.op == kind) return true;
  switch (kind) {
    case OpClass::kGlobalLoad:
      return ptx.op == OpClass::kGenericLoad && ptx.sectors > 0;
    case OpClass::kGlobalStore:
      return ptx.op == OpClass::kGenericStore && ptx.sectors > 0;
    case OpClass::kSharedLoad:
      return ptx.op == OpClass::kGenericLoad && ptx.wavefronts > 0;
    case OpClass::kAsyncCopy:
      return false;
    default:
      return ptx.op == OpClass::kGenericStore && ptx.wavefronts > 0;
  }
}

}  // namespace

bool lost_accesses(const SassMap& map, const KernelProfile& profile, OpClass kind) {
  bool executed = false, in_sass = kind == OpClass::kGlobalStore || kind == OpClass::kAsyncCopy;
  for (const InstructionProfile& ptx : profile.instructions) executed |= is_executed(ptx, kind);
  if (!executed) return false;
  for (int i = 0; i < int(map.graph.code.size()); ++i) {
    const SassKind sass = map.graph.code[i].kind;
    if (map.cold[map.graph.block_of[i]]) continue;
    in_sass |= same_operation(sass, kind);
    const int p = map.ptx[i];
    if (p >= 0 && is_executed(profile.instructions[p], kind) &&
        same_operation(sass, profile.instructions[p].op))
      return false;
  }
  return in_sass;
}

bool shared_one_to_one(const SassMap& map, const SassFlow& flow, SassGuards& guards,
                       const KernelProfile& profile) {
  return OneToOne(map, flow, guards, profile).holds();
}

}  // namespace lockstep::emulator
