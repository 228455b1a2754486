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

// Atomics on shared memory that are one block: a turn for each lane of a word (settle_atomics). Two
// values of 16 bits share a word, so that these take turns that nobody counted.
bool turns_are_known(const SassMap& map, const KernelProfile& profile, const SassEdge& back) {
  const int p = map.stands_for[back.from];
  if (back.from != back.to || p < 0) return false;
  const InstructionProfile& ptx = profile.instructions[p];
  const SassBlock& block = map.graph.blocks[back.from];
  for (int i = block.first; i < block.last; ++i)
    if (map.ptx[i] != p) return false;
  return ptx.op == OpClass::kSharedAtomic && ptx.slow_path > 0 && !ptx.opcode.ends_with(".b16") &&
         !ptx.opcode.ends_with("f16");
}

// A branch of the program is among what the loop repeats; ptxas may have moved the one that ends
// it.
bool has_branch_of_ptx(const SassMap& map, const KernelProfile& profile, const SassEdge& back) {
  const int last = map.graph.blocks[back.from].last;
  for (int i = map.graph.blocks[back.to].first; i < last; ++i) {
    const int p = map.ptx[i];
    if (p >= 0 && profile.instructions[p].op == OpClass::kBranch) return true;
  }
  return false;
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

std::string loop_of_ptxas(const SassMap& map, const SassFlow& flow, const KernelProfile& profile) {
  const SassGraph& g = map.graph;
  for (const SassEdge& edge : g.edges) {
    if (edge.to < 0 || edge.to > edge.from || edge.cold || map.cold[edge.from]) continue;
    if (g.functions[g.blocks[edge.from].function].internal) continue;
    if (has_branch_of_ptx(map, profile, edge)) continue;  // the program's own
    // On shared memory: contention() below says when it is timing.
    if (profile.warps_launched > 1 && swaps_in_loop(g, edge.from)) continue;
    const int p = map.ptx[g.blocks[edge.from].last - 1];
    const bool runs = p >= 0 ? profile.instructions[p].warps > 0 : flow.blocks[edge.from].warps > 0;
    if (!runs || turns_are_known(map, profile, edge)) continue;
    return "ptxas made a loop" + (p >= 0 ? " of " + profile.instructions[p].opcode : "") +
           " that is none in PTX, so how often it repeats is not known";
  }
  return {};
}

std::string contention(const SassMap& map, const SassFlow& flow, const KernelProfile& profile) {
  if (std::string why = loop_of_ptxas(map, flow, profile); !why.empty()) return why;
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

int generic_atomic_on_shared(const SassMap* map, const KernelProfile& profile) {
  for (int p = 0; p < int(profile.instructions.size()); ++p) {
    const InstructionProfile& ptx = profile.instructions[p];
    if (ptx.op != OpClass::kGenericAtomic || ptx.shared_requests == 0) continue;
    if (map == nullptr) return p;
    const auto is_generic = [&](int i) {
      return map->graph.code[i].kind == SassKind::kGenericAtomic;
    };
    if (std::any_of(map->sass[p].begin(), map->sass[p].end(), is_generic)) return p;
  }
  return -1;
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
