// SPDX-License-Identifier: Apache-2.0
// What ptxas made of an atomic operation decides its cost and whether it repeats.
#include "emulator/contention.h"

#include <algorithm>

namespace lockstep::emulator {
namespace {

bool swaps_in_loop(const SassGraph& g, int b) {
  constexpr int kSwap = 0x18D;
  bool loop = false, swap = false;
  for (int e : g.blocks[b].out) loop |= g.edges[e].to == b;
  for (int i = g.blocks[b].first; i < g.blocks[b].last; ++i) {
    swap |= (g.code[i].opcode & 0x1FF) == kSwap;
  }
  return loop && swap;
}

bool of_generic_atomic(const SassMap& map, const KernelProfile& profile, int b) {
  for (int i = map.graph.blocks[b].first; i < map.graph.blocks[b].last; ++i) {
    if (map.ptx[i] < 0) continue;
    const InstructionProfile& ptx = profile.instructions[map.ptx[i]];
    if (ptx.op == OpClass::kGenericAtomic && ptx.warps > 0) return true;
  }
  return false;
}

}  // namespace

bool loops_of_swaps(const SassMap& map, const KernelProfile& profile) {
  if (profile.warps_launched <= 1) return false;
  return std::any_of(
      profile.instructions.begin(), profile.instructions.end(), [&](const auto& ptx) {
        const bool atomic = ptx.op == OpClass::kGlobalAtomic || ptx.op == OpClass::kSharedAtomic ||
                            ptx.op == OpClass::kGenericAtomic;
        return atomic && ptx.warps > 0 && map.ptx_depth[ptx.block] > 0 &&
               ptx.opcode.find(".cas") != std::string::npos;
      });
}

std::string contention(const SassMap& map, const SassFlow& flow, const KernelProfile& profile) {
  if (profile.warps_launched <= 1) return {};
  if (loops_of_swaps(map, profile))
    return "a loop of compare and swap repeats as often as warps contend, which is timing";
  const SassGraph& g = map.graph;
  for (int b = 0; b < int(g.blocks.size()); ++b) {
    if (!swaps_in_loop(g, b)) continue;
    if (flow.blocks[b].warps <= 0) {
      if (!of_generic_atomic(map, profile, b)) continue;
      return "the ways that ptxas made of a generic atomic operation are not told apart";
    }
    return "an atomic operation on shared memory that is a loop of compare and swap (float, 64 "
           "bits) repeats as often as warps contend, which is timing";
  }
  return {};
}

double atomic_wavefronts(const SassMap& map, const KernelProfile& profile, int p, bool* doubtful) {
  constexpr int kIncrement = 0xF8C, kSwap = 0x18D;
  const InstructionProfile& ptx = profile.instructions[p];
  const double turns = double(ptx.slow_path);
  const SassGraph& g = map.graph;
  for (int i : map.sass[p]) {
    if (g.code[i].kind != SassKind::kSharedAtomic) continue;
    const SassBlock& block = g.blocks[g.block_of[i]];
    if (g.code[i].opcode == kIncrement) return double(ptx.wavefronts);
    bool loop = false, voted = false;
    for (int e : block.out) loop |= g.edges[e].to == g.block_of[i];
    for (int k = block.first; k < block.last; ++k) {
      voted |= g.code[k].kind == SassKind::kVote && map.ptx[k] == p;
    }
    if (loop) {
      *doubtful = true;
      const bool wide = ptx.opcode.find("64") != std::string::npos;
      return double(ptx.bank_conflicts) + (wide ? 4 : 2) * turns;
    }
    if ((g.code[i].opcode & 0x1FF) == kSwap) return 2 * turns;
    if (g.code[i].guarded && voted) return double(ptx.requests);
    return turns;
  }
  return turns;
}

}  // namespace lockstep::emulator
