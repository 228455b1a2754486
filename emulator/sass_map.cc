// SPDX-License-Identifier: Apache-2.0
// Votes: what survives compilation one for one (memory, barriers, shuffles, branches) weighs
// more; what ptxas likes to move out of loops or above branches weighs less.

#include "emulator/sass_map.h"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "emulator/ptx_loops.h"
#include "emulator/sass_code.h"
#include "emulator/sass_split.h"

namespace lockstep::emulator {
namespace {

constexpr double kBranchWeight = 12, kAnchorWeight = 5, kPlainWeight = 1, kHoistableWeight = 0.05;
constexpr double kTakenOut = 1e-4;  // times the weight: less than any that stayed where it was

void find_cold(SassMap* map) {
  const SassGraph& g = map->graph;
  map->cold.assign(g.blocks.size(), true);
  std::vector<int> work;
  for (const SassFunction& f : g.functions) {
    map->cold[f.entry] = false;
    work.push_back(f.entry);
  }
  while (!work.empty()) {
    const int b = work.back();
    work.pop_back();
    for (int e : g.blocks[b].out) {
      const SassEdge& edge = g.edges[e];
      if (edge.cold || edge.to < 0 || !map->cold[edge.to]) continue;
      map->cold[edge.to] = false;
      work.push_back(edge.to);
    }
  }
}

// Blocks of which each leads to the next alone, and is the next one's only way in, run together.
// parted: lanes returned from functions apart, so a chain ends where it calls one.
void find_chains(SassMap* map, bool parted) {
  const SassGraph& g = map->graph;
  map->chain.resize(g.blocks.size());
  map->chain_length.assign(g.blocks.size(), 0);
  for (int b = 0; b < int(g.blocks.size()); ++b) {
    const SassBlock& block = g.blocks[b];
    map->chain[b] = b;
    if (block.in.size() == 1 && block.sync_of < 0 && g.functions[block.function].entry != b) {
      const int before = g.edges[block.in[0]].from;
      const int callee = g.blocks[before].call;
      const bool ends = parted && callee >= 0 && !g.functions[callee].internal;
      if (before < b && g.blocks[before].out.size() == 1 && !ends)
        map->chain[b] = map->chain[before];
    }
    map->chain_length[map->chain[b]]++;
  }
}

bool is_hoistable(const SassInstruction& in) {
  const int operation = in.opcode & 0x1FF;
  return in.kind == SassKind::kConstLoad || operation == 0x119 || operation == 0x1c3 ||
         operation == 0x002 || operation == 0x082;  // S2R, S2UR, MOV, UMOV
}

bool votes(const SassInstruction& in, bool last) {
  switch (in.kind) {
    case SassKind::kNop:
    case SassKind::kSetSync:
    case SassKind::kSync:
    case SassKind::kBreak:
    case SassKind::kEndCollective:
    case SassKind::kWarpSync:
    case SassKind::kBranchDivergent:
    case SassKind::kCall:
    case SassKind::kBranchConvergent:
    case SassKind::kLocalLoad:
    case SassKind::kLocalStore:
      return false;
    case SassKind::kBranch:
      return in.guarded && last;
    case SassKind::kExit:
    case SassKind::kReturn:
      return true;
    default:
      return !in.guarded;
  }
}

class Voter {
 public:
  Voter(const KernelProfile& profile, SassMap* map) : p_(profile), m_(*map) {}

  void run() {
    count_places();
    const SassGraph& g = m_.graph;
    m_.stands_for.assign(g.blocks.size(), -1);
    m_.agreement.assign(g.blocks.size(), 0);
    m_.weak.assign(g.blocks.size(), false);
    for (int b = 0; b < int(g.blocks.size()); ++b) {
      if (m_.chain[b] == b && !m_.cold[b] && !g.functions[g.blocks[b].function].internal) vote(b);
    }
    find_copies();
  }

 private:
  // Deepest SASS loop in which a PTX block's instructions are found.
  void count_places() {
    deepest_.assign(p_.blocks.size(), 0);
    for (size_t i = 0; i < m_.ptx.size(); ++i) {
      const int b = m_.graph.block_of[i];
      if (m_.ptx[i] < 0 || m_.cold[b]) continue;
      int& depth = deepest_[p_.instructions[m_.ptx[i]].block];
      depth = std::max(depth, m_.graph.blocks[b].depth);
    }
  }

  double weight(int i, int b) const {
    const SassInstruction& in = m_.graph.code[i];
    const InstructionProfile& ptx = p_.instructions[m_.ptx[i]];
    double w = kPlainWeight;
    if (in.kind == SassKind::kExit || in.kind == SassKind::kReturn) {
      // Returns are shared and duplicated at will; a branch to one that became an exit is not.
      w = ptx.op == OpClass::kBranch ? kBranchWeight : 0;
    } else if (in.kind == SassKind::kBranch && ends_a_side(m_, p_, i)) {
      w = kHoistableWeight;
    } else if (same_operation(in.kind, ptx.op)) {
      w = in.kind == SassKind::kBranch ? kBranchWeight : kAnchorWeight;
    } else if (in.kind == SassKind::kBranch || ptx.op == OpClass::kBranch) {
      // A branch within the expansion of another operation; or what prepares one way of a branch.
      w = 0;
    } else if (is_hoistable(in)) {
      w = kHoistableWeight;
    }
    // Taken out of a loop that is still there.
    const int depth = m_.graph.blocks[b].depth;
    if (depth < m_.ptx_depth[ptx.block] && depth < deepest_[ptx.block]) w *= kTakenOut;
    return w;
  }

  // One vote for all blocks of a chain.
  void vote(int head) {
    struct Candidate {
      double weight = 0, best = 0;
      int instruction = -1;
    };
    std::map<std::pair<uint64_t, uint64_t>, Candidate> candidates;
    double total = 0;
    const SassGraph& g = m_.graph;
    std::vector<int> members;
    for (int b = head; b < int(g.blocks.size()); ++b) {
      if (m_.chain[b] != head) continue;
      members.push_back(b);
      const SassBlock& block = g.blocks[b];
      for (int i = block.first; i < block.last; ++i) {
        if (m_.ptx[i] < 0 || !votes(g.code[i], i + 1 == block.last)) continue;
        const InstructionProfile& ptx = p_.instructions[m_.ptx[i]];
        const double w = weight(i, b);
        if (w == 0) continue;
        Candidate& c = candidates[{ptx.warps, ptx.lanes}];
        c.weight += w;
        if (w > c.best) c = {c.weight, w, m_.ptx[i]};
        total += w;
      }
      if (int(members.size()) == m_.chain_length[head]) break;
    }
    const Candidate* winner = nullptr;
    for (const auto& [value, c] : candidates) {
      if (!winner || c.weight > winner->weight) winner = &c;
    }
    if (!winner) return;
    for (int b : members) {
      m_.stands_for[b] = winner->instruction;
      m_.agreement[b] = winner->weight / total;
      m_.weak[b] = winner->best <= kAnchorWeight * kTakenOut;
    }
  }

  // Anchors of one PTX block that stand in several SASS blocks, or several times in one.
  void find_copies() {
    std::map<int, std::map<int, std::map<int, int>>> where;  // ptx block, instruction, sass block
    for (size_t i = 0; i < m_.ptx.size(); ++i) {
      const int p = m_.ptx[i], b = m_.graph.block_of[i];
      if (p < 0 || m_.cold[b] || m_.graph.functions[m_.graph.blocks[b].function].internal) continue;
      const InstructionProfile& ptx = p_.instructions[p];
      const SassKind kind = m_.graph.code[i].kind;
      if (!same_operation(kind, ptx.op) || kind == SassKind::kBranch || kind == SassKind::kExit ||
          m_.continues[i]) {
        continue;
      }
      where[ptx.block][p][b]++;
    }
    for (const auto& [block, instructions] : where) {
      std::map<int, int> copies;
      bool several = false;
      for (const auto& [p, places] : instructions) {
        int total = 0;
        for (const auto& [b, n] : places) total += n;
        several |= total > 1;
        for (const auto& [b, n] : places) copies[b] = std::max(copies[b], n);
      }
      if (!several) continue;
      SassMap::Copies group;
      group.ptx_block = block;
      group.blocks.assign(copies.begin(), copies.end());
      m_.copies.push_back(std::move(group));
    }
  }

  const KernelProfile& p_;
  SassMap& m_;
  std::vector<int> deepest_;
};

// Every routine of ptxas has one line of the PTX for all of it, and works on registers and stack. A
// function that does not is the program's, under a name that nobody knows.
bool is_of_the_program(const SassGraph& g, const SassFunction& f,
                       const std::vector<uint32_t>& lines) {
  for (int i = f.first; i < f.last; ++i) {
    const SassKind kind = g.code[i].kind;
    const bool local = kind == SassKind::kLocalLoad || kind == SassKind::kLocalStore;
    if (!local && kind >= SassKind::kGlobalLoad && kind <= SassKind::kAsyncCopy) return true;
    if (lines[i] != lines[f.first]) return true;
  }
  return false;
}

}  // namespace

bool same_operation(SassKind sass, OpClass ptx) {
  switch (sass) {
    case SassKind::kGlobalLoad:
      return ptx == OpClass::kGlobalLoad || ptx == OpClass::kGenericLoad;
    case SassKind::kGlobalStore:
      return ptx == OpClass::kGlobalStore || ptx == OpClass::kGenericStore;
    case SassKind::kGlobalAtomic:
      return ptx == OpClass::kGlobalAtomic || ptx == OpClass::kGenericAtomic;
    case SassKind::kSharedLoad:
      return ptx == OpClass::kSharedLoad || ptx == OpClass::kGenericLoad;
    case SassKind::kSharedStore:
      return ptx == OpClass::kSharedStore || ptx == OpClass::kGenericStore;
    case SassKind::kSharedAtomic:
      return ptx == OpClass::kSharedAtomic || ptx == OpClass::kGenericAtomic;
    case SassKind::kLocalLoad:
      return ptx == OpClass::kLocalLoad || ptx == OpClass::kGenericLoad;
    case SassKind::kLocalStore:
      return ptx == OpClass::kLocalStore || ptx == OpClass::kGenericStore;
    case SassKind::kGenericLoad:
      return ptx == OpClass::kGenericLoad;
    case SassKind::kGenericStore:
      return ptx == OpClass::kGenericStore;
    case SassKind::kGenericAtomic:
      return ptx == OpClass::kGenericAtomic;
    case SassKind::kAsyncCopy:
      return ptx == OpClass::kAsyncCopy;
    case SassKind::kBarrier:
      return ptx == OpClass::kBarrier;
    case SassKind::kShuffle:
      return ptx == OpClass::kShuffle;
    case SassKind::kVote:
      return ptx == OpClass::kVote;
    case SassKind::kBranch:
    case SassKind::kBranchIndirect:
      return ptx == OpClass::kBranch;
    case SassKind::kExit:
      return ptx == OpClass::kBranch || ptx == OpClass::kExit || ptx == OpClass::kReturn;
    case SassKind::kReturn:
      return ptx == OpClass::kReturn;
    case SassKind::kCall:
      return ptx == OpClass::kCall || ptx == OpClass::kSystemCall;
    default:
      return false;
  }
}

bool ends_a_side(const SassMap& map, const KernelProfile& profile, int i) {
  const int p = map.ptx[i];
  if (map.graph.code[i].kind != SassKind::kBranch || !map.graph.code[i].guarded || p < 0)
    return false;
  const InstructionProfile& ptx = profile.instructions[p];
  return ptx.op == OpClass::kBranch && profile.blocks[ptx.block].successors.size() == 1;
}

std::string map_sass(const Cubin& cubin, const KernelProfile& profile, SassMap* map) {
  SassCode code;
  PtxFunctions functions;
  for (const InstructionProfile& ptx : profile.instructions) functions.insert(ptx.function);
  if (std::string why = gather_sass(cubin, profile.kernel, functions, &code); !why.empty())
    return why;
  const size_t count = code.code.size();
  const std::vector<uint32_t>& lines = code.lines;
  map->graph = build_sass_graph(std::move(code.code), code.starts, code.indirect);

  for (const SassFunction& f : map->graph.functions) {
    if (f.internal && is_of_the_program(map->graph, f, lines))
      return "the cubin has a function that is neither in the PTX nor a routine of the compiler";
  }
  std::unordered_map<uint32_t, int> by_line;
  for (int i = 0; i < int(profile.instructions.size()); ++i) {
    const InstructionProfile& ptx = profile.instructions[i];
    if (ptx.block < 0 || ptx.block >= int(profile.blocks.size())) return "the profile is broken";
    if (ptx.ptx_line > 0) by_line.emplace(uint32_t(ptx.ptx_line), i);
  }
  map->ptx.assign(count, -1);
  map->sass.resize(profile.instructions.size());
  size_t known = 0;
  for (size_t i = 0; i < count; ++i) {
    const auto found = by_line.find(lines[i]);
    if (found == by_line.end()) continue;
    map->ptx[i] = found->second;
    map->sass[found->second].push_back(int(i));
    ++known;
  }
  if (known == 0) return "the cubin and the PTX are of different builds";
  map->ptx_depth = loop_depths(profile.blocks);
  find_cold(map);
  tell_parts_apart(profile, map);
  find_chains(map, profile.partings > 0);
  Voter(profile, map).run();
  return {};
}

}  // namespace lockstep::emulator
