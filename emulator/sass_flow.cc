// SPDX-License-Identifier: Apache-2.0
// The solver peels: a block whose count is known and that has one unknown edge settles the edge,
// and so on. Where that stops, branches settle their edges by what the PTX branch did. Blocks wait
// in sets until something of theirs changes: each step looks at the lowest block that could do it.

#include "emulator/sass_flow.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "emulator/sass_collectives.h"
#include "emulator/sass_copies.h"
#include "emulator/sass_routines.h"
#include "emulator/sass_waits.h"

namespace lockstep::emulator {
namespace {

constexpr double kUnknown = kUnknownCount;

class Solver {
 public:
  Solver(const SassMap& map, const KernelProfile& profile) : m_(map), g_(map.graph), p_(profile) {}

  SassFlow run() {
    flow_.blocks.assign(g_.blocks.size(), {kUnknown, kUnknown});
    flow_.edges.assign(g_.edges.size(), {kUnknown, kUnknown});
    joined_after_.resize(g_.blocks.size());
    for (int b = 0; b < int(g_.blocks.size()); ++b)
      if (g_.blocks[b].sync_of >= 0) joined_after_[g_.blocks[b].sync_of].push_back(b);
    count_entered();
    seed();
    settle_sides();
    settle_copies(m_, p_, &flow_);
    settle_expansions();
    settle_atomics();
    settle_lanes();
    settle_warps();
    limit_warps();
    count_vain_waits(m_, &flow_);
    walk_routines(m_, p_, &flow_);
    count_collectives(m_, p_, &flow_);
    measure();
    if (flow_.not_known.empty()) flow_.not_known = copies_do_not_add_up(m_, p_, flow_);
    return std::move(flow_);
  }

 private:
  const InstructionProfile& ptx(int i) const { return p_.instructions[i]; }
  bool internal(int b) const { return g_.functions[g_.blocks[b].function].internal; }

  // PTX branch that a SASS block ends with; nullptr: none.
  const InstructionProfile* branch_of(int b) const {
    const int last = g_.blocks[b].last - 1;
    if (m_.ptx[last] < 0 || ends_a_side(m_, p_, last) ||
        !same_operation(g_.code[last].kind, ptx(m_.ptx[last]).op)) {
      return nullptr;
    }
    return &ptx(m_.ptx[last]);
  }

  void seed() {
    for (int b = 0; b < int(g_.blocks.size()); ++b) {
      if (m_.cold[b]) {
        flow_.blocks[b] = {0, 0};
      } else if (m_.stands_for[b] >= 0 && !m_.weak[b]) {
        const InstructionProfile& stand = ptx(m_.stands_for[b]);
        flow_.blocks[b] = {double(stand.warps), double(stand.lanes)};
      }
    }
    if (!p_.instructions.empty()) {
      flow_.blocks[g_.functions[0].entry] = {double(p_.instructions[0].warps),
                                             double(p_.instructions[0].lanes)};
    }
    for (int e = 0; e < int(g_.edges.size()); ++e) {
      const SassEdge& edge = g_.edges[e];
      if (edge.cold || m_.cold[edge.from]) flow_.edges[e] = {0, 0};
    }
  }

  // The side of an if that stands under a guard leaves by the branch at its end.
  void settle_sides() {
    for (int b = 0; b < int(g_.blocks.size()); ++b) {
      const int last = g_.blocks[b].last - 1;
      if (m_.cold[b] || !ends_a_side(m_, p_, last)) continue;
      const std::vector<int>& all = m_.sass[m_.ptx[last]];
      if (std::count_if(all.begin(), all.end(),
                        [this](int i) { return g_.code[i].kind == SassKind::kBranch; }) != 1) {
        continue;
      }
      const InstructionProfile& side = ptx(m_.ptx[last]);
      if (m_.stands_for[b] < 0 || ptx(m_.stands_for[b]).block == side.block) continue;
      for (int e : g_.blocks[b].out) {
        if (g_.edges[e].taken) flow_.edges[e] = {double(side.warps), double(side.lanes)};
      }
    }
  }

  // Within the expansion of one operation (division, square root): the side that calls ptxas's
  // slow routine is taken as often as execution saw operands that need it.
  void settle_expansions() {
    for (int b = 0; b < int(g_.blocks.size()); ++b) {
      const SassBlock& block = g_.blocks[b];
      if (block.call < 0 || !g_.functions[block.call].internal || m_.cold[b]) continue;
      const int p = m_.ptx[block.last - 1];
      if (p < 0 || block.in.size() != 1) continue;
      const int before = g_.edges[block.in[0]].from, branch = g_.blocks[before].last - 1;
      if (g_.blocks[before].out.size() < 2 || m_.ptx[branch] != p) continue;
      const InstructionProfile& op = ptx(p);
      if (slow_op(op.opcode) == SlowOp::kNone) {
        if (op.warps > 0)
          flow_.not_known = "when " + op.opcode + " calls ptxas's routine is not known";
        continue;
      }
      for (int c = b; c < int(g_.blocks.size()); ++c) {
        if (m_.chain[c] == m_.chain[b]) {
          flow_.blocks[c] = {double(op.slow_path), double(op.slow_path_lanes)};
        }
      }
      for (int e : g_.blocks[before].out) {
        if (g_.edges[e].to == b) {
          flow_.edges[e] = flow_.blocks[b];
        } else if (flow_.edges[e].lanes == kUnknown) {
          // The other side runs unless all lanes are slow.
          double all = 0;
          for (const auto& [ways, calls] : op.slow_calls)
            if ((ways & 1) == 0) all += double(calls.warps);
          flow_.edges[e] = {double(op.warps) - all, double(op.lanes - op.slow_path_lanes)};
        }
      }
      // Only moves and the call stand in such blocks, so no vote of theirs counts.
      for (int e : g_.blocks[before].out) {
        const int to = g_.edges[e].to;
        if (to >= 0 && to != b && g_.blocks[to].in.size() == 1) {
          flow_.blocks[to] = flow_.edges[e];
        }
      }
    }
  }

  // Atomics on shared memory that the card lacks (float addition, 64 bits) are loops of compare and
  // swap: as many turns as lanes contend for one address.
  void settle_atomics() {
    for (int b = 0; b < int(g_.blocks.size()); ++b) {
      const int p = m_.stands_for[b];
      if (p < 0 || ptx(p).op != OpClass::kSharedAtomic || ptx(p).slow_path == 0) continue;
      bool alone = true, loop = false;
      for (int i = g_.blocks[b].first; i < g_.blocks[b].last; ++i) alone &= m_.ptx[i] == p;
      for (int e : g_.blocks[b].out) loop |= g_.edges[e].to == b;
      if (!alone || !loop) continue;
      flow_.blocks[b] = {double(ptx(p).slow_path), double(ptx(p).slow_path_lanes)};
    }
  }

  void wait_for_all() {
    for (int b = 0; b < int(g_.blocks.size()); ++b) touch(b);
  }
  // Something of this block or of its edges has changed.
  void touch(int b) {
    to_peel_.insert(b);
    to_settle_.insert(b);
    to_guess_.insert(b);
  }
  void set_block(int b, double SassFlow::Count::*field, double value) {
    flow_.blocks[b].*field = value;
    touch(b);
    for (int joined : joined_after_[b]) touch(joined);
  }
  void set_edge(int e, double SassFlow::Count::*field, double value) {
    flow_.edges[e].*field = value;
    touch(g_.edges[e].from);
    if (g_.edges[e].to >= 0) touch(g_.edges[e].to);
  }

  // Peels one field: passes over the blocks in their order, until nothing more is settled.
  void peel(double SassFlow::Count::*field, bool splits) {
    for (int next = 0; !to_peel_.empty();) {
      auto place = to_peel_.lower_bound(next);
      if (place == to_peel_.end()) place = to_peel_.begin();
      const int b = *place;
      to_peel_.erase(place);
      next = b + 1;
      if (internal(b)) continue;
      balance(b, true, field, splits);
      balance(b, false, field, splits);
    }
  }

  // The block's count from its edges on one side, or its last unknown edge from its count.
  void balance(int b, bool in, double SassFlow::Count::*field, bool splits) {
    const std::vector<int>& edges = in ? g_.blocks[b].in : g_.blocks[b].out;
    double sum = 0;
    int unknown = -1, unknowns = 0;
    for (int e : edges) {
      if (flow_.edges[e].*field == kUnknown) {
        unknown = e;
        ++unknowns;
      } else {
        sum += flow_.edges[e].*field;
      }
    }
    const double count = flow_.blocks[b].*field;
    if (splits && !in && (edges.size() > 1 || returns(b))) return;  // warps may split
    if (splits && in && g_.blocks[b].sync_of >= 0) return;          // and join
    if (unknowns == 0 && !edges.empty() && count == kUnknown && !is_entry(b, in)) {
      set_block(b, field, sum);
    } else if (unknowns == 1 && count != kUnknown && !is_entry(b, in)) {
      // Nothing left for lanes that do come: execution joined groups that the SASS keeps apart.
      if (splits && in && count <= sum && flow_.edges[unknown].lanes > 0) return;
      set_edge(unknown, field, std::max(0.0, count - sum));
    }
  }

  // Lanes that a function was called by may return apart.
  bool returns(int b) const {
    return g_.blocks[b].call >= 0 && !g_.functions[g_.blocks[b].call].internal;
  }

  // Groups that come back from a block's call, by what follows the call in the PTX.
  double groups_back(int b) const {
    const int p = m_.ptx[g_.blocks[b].last - 1];
    const double here = flow_.blocks[b].warps;
    if (p < 0 || ptx(p).op != OpClass::kCall || ptx(p).warps == 0) return here;
    const std::vector<int>& to = p_.blocks[ptx(p).block].successors;
    if (to.size() != 1 || p_.blocks[to[0]].first == p_.blocks[to[0]].last) return here;
    const InstructionProfile& next = ptx(p_.blocks[to[0]].first);
    if (next.lanes != ptx(p).lanes) return here;  // others come there as well
    return here * double(next.warps) / double(ptx(p).warps);
  }

  // Functions are entered from outside the graph.
  bool is_entry(int b, bool in) const {
    return in && g_.functions[g_.blocks[b].function].entry == b;
  }

  void settle_lanes() {
    wait_for_all();
    do {
      peel(&SassFlow::Count::lanes, false);
    } while (first_of(&to_settle_, [this](int b) { return settle_branch(b); }) ||
             believe(&SassFlow::Count::lanes) ||
             first_of(&to_guess_, [this](int b) { return guess(b); }));
  }

  // Does something with the first block that it can be done with; false: with none.
  template <class Settle>
  bool first_of(std::set<int>* waiting, Settle settle) {
    while (!waiting->empty()) {
      const int b = *waiting->begin();
      if (settle(b)) return true;
      waiting->erase(b);
    }
    return false;
  }

  // A branch with unknown edges settles them by its PTX branch.
  bool settle_branch(int b) {
    const SassBlock& block = g_.blocks[b];
    if (internal(b) || block.out.size() != 2 || flow_.blocks[b].lanes == kUnknown) return false;
    if (flow_.edges[block.out[0]].lanes != kUnknown) return false;
    const InstructionProfile* branch = branch_of(b);
    if (!branch || branch->lanes == 0) return false;
    const double share = double(branch->lanes_guard_on) / double(branch->lanes);
    const int side = ptx_taken_side(b, *branch);
    set_edge(block.out[side], &SassFlow::Count::lanes, flow_.blocks[b].lanes * share);
    return true;
  }

  // Which out-edge of a SASS block goes where the PTX branch goes when taken.
  int ptx_taken_side(int b, const InstructionProfile& branch) const {
    const SassBlock& block = g_.blocks[b];
    const BlockProfile& from = p_.blocks[branch.block];
    for (int side = 0; side < 2; ++side) {
      const SassEdge& edge = g_.edges[block.out[side]];
      if (edge.to < 0 || m_.stands_for[edge.to] < 0) continue;
      const int to = ptx(m_.stands_for[edge.to]).block;
      for (size_t s = 0; s < from.successors.size() && s < 2; ++s) {
        if (from.successors[s] == to) return s == 0 ? side : 1 - side;
      }
    }
    return g_.edges[block.out[0]].taken ? 0 : 1;
  }

  // A weak vote is better than none.
  bool believe(double SassFlow::Count::*field) {
    for (int b = 0; b < int(g_.blocks.size()); ++b) {
      if (!m_.weak[b] || internal(b) || flow_.blocks[b].*field != kUnknown) continue;
      const InstructionProfile& stand = ptx(m_.stands_for[b]);
      set_block(b, field, SassFlow::Count{double(stand.warps), double(stand.lanes)}.*field);
      return true;
    }
    return false;
  }

  // Nothing else helps: the first unknown edge of a known block gets an even share.
  bool guess(int b) {
    if (internal(b) || flow_.blocks[b].lanes == kUnknown) return false;
    double left = flow_.blocks[b].lanes;
    int unknowns = 0, first = -1;
    for (int e : g_.blocks[b].out) {
      if (flow_.edges[e].lanes == kUnknown) {
        if (first < 0) first = e;
        ++unknowns;
      } else {
        left -= flow_.edges[e].lanes;
      }
    }
    if (unknowns == 0) return false;
    set_edge(first, &SassFlow::Count::lanes, std::max(0.0, left / unknowns));
    return true;
  }

  void settle_warps() {
    for (size_t e = 0; e < g_.edges.size(); ++e) {
      if (flow_.edges[e].lanes == 0) flow_.edges[e].warps = 0;
    }
    for (size_t b = 0; b < g_.blocks.size(); ++b) {
      if (flow_.blocks[b].lanes == 0) flow_.blocks[b].warps = 0;
    }
    wait_for_all();
    do {
      peel(&SassFlow::Count::warps, true);
    } while (
        first_of(&to_settle_, [this](int b) { return !internal(b) && (join(b) || part(b)); }) ||
        believe(&SassFlow::Count::warps));
  }

  // After a sync as many warps go on as came to the block that set it, as far as lanes are left;
  // who comes another way (the sync of an outer region may stand here) comes on its own.
  // kUnknown where that cannot be told yet.
  double joined_warps(int b) const {
    const int set = g_.blocks[b].sync_of;
    if (set < 0 || flow_.blocks[set].warps == kUnknown) return kUnknown;
    double others = 0, synced = 0;
    for (int e : g_.blocks[b].in) {
      const SassFlow::Count& edge = flow_.edges[e];
      if (g_.code[g_.blocks[g_.edges[e].from].last - 1].kind == SassKind::kSync) {
        if (edge.lanes == kUnknown) return kUnknown;
        synced += edge.lanes;
      } else {
        if (edge.warps == kUnknown) return kUnknown;
        others += edge.warps;
      }
    }
    const SassFlow::Count& before = flow_.blocks[set];
    return others +
           (synced >= before.lanes * 0.999 ? before.warps : std::min(before.warps, synced));
  }

  bool join(int b) {
    if (flow_.blocks[b].warps != kUnknown) return false;
    const double warps = joined_warps(b);
    if (warps == kUnknown) return false;
    set_block(b, &SassFlow::Count::warps, warps);
    return true;
  }

  // No block is executed by more groups than come to it.
  void limit_warps() {
    for (int round = 0; round < 2; ++round) {
      for (int b = 0; b < int(g_.blocks.size()); ++b) {
        const SassBlock& block = g_.blocks[b];
        SassFlow::Count& here = flow_.blocks[b];
        if (internal(b) || is_entry(b, true) || block.in.empty() || here.warps <= 0) continue;
        double most = joined_warps(b);
        if (block.sync_of < 0) {
          most = 0;
          for (int e : block.in) {
            most = flow_.edges[e].warps == kUnknown ? kUnknown : most + flow_.edges[e].warps;
            if (most == kUnknown) break;
          }
        }
        if (most == kUnknown || most <= 0) continue;
        if (block.sync_of < 0 && raise_warps(b, most)) continue;
        if (here.warps <= most * 1.001 + 0.5) continue;
        const double share = most / here.warps;
        here.warps = most;
        flow_.meets_sooner = true;
        for (int e : block.out) {
          if (flow_.edges[e].warps != kUnknown) flow_.edges[e].warps *= share;
        }
      }
    }
  }

  // Groups that met in execution at a block's beginning; in the SASS no sync stands there, and they
  // go on apart. False: there are none.
  bool raise_warps(int b, double most) {
    const SassBlock& block = g_.blocks[b];
    SassFlow::Count& here = flow_.blocks[b];
    const int p = m_.stands_for[b];
    double apart = most;
    if (p >= 0) {
      if (ptx(p).warps == 0) return false;
      apart = std::min(most, here.warps * entered_[ptx(p).block] / double(ptx(p).warps));
    } else if (std::none_of(block.in.begin(), block.in.end(),
                            [this](int e) { return flow_.apart[g_.edges[e].from]; })) {
      return false;
    }
    if (apart <= here.warps * 1.001 + 0.5) return false;
    const double share = apart / here.warps;
    here.warps = apart;
    flow_.apart[b] = true;
    for (int e : block.out) {
      SassFlow::Count& edge = flow_.edges[e];
      if (edge.warps != kUnknown) edge.warps = std::min(edge.warps * share, edge.lanes);
    }
    return true;
  }

  // By PTX block: how many groups came, before they met there.
  void count_entered() {
    entered_.assign(p_.blocks.size(), 0);
    flow_.apart.assign(g_.blocks.size(), false);
    for (const BlockProfile& block : p_.blocks) {
      for (size_t k = 0; k < block.successors.size() && k < block.edge_warps.size(); ++k) {
        const int to = block.successors[k];
        if (to >= 0 && to < int(entered_.size())) entered_[to] += double(block.edge_warps[k]);
      }
    }
  }

  // Out-edges of a branch: by the PTX branch's edges, else by what the lanes allow.
  bool part(int b) {
    const SassBlock& block = g_.blocks[b];
    const SassFlow::Count& here = flow_.blocks[b];
    if (here.warps == kUnknown || here.lanes == kUnknown) return false;
    if (block.out.size() < 2 && !returns(b)) return false;
    bool any = false;
    const InstructionProfile* branch = branch_of(b);
    const BlockProfile* from = branch ? &p_.blocks[branch->block] : nullptr;
    const bool usable =
        from && block.out.size() == 2 && from->edge_warps.size() == 2 && branch->warps > 0;
    const int side = usable ? ptx_taken_side(b, *branch) : 0;
    for (size_t k = 0; k < block.out.size(); ++k) {
      const SassFlow::Count& edge = flow_.edges[block.out[k]];
      if (edge.warps != kUnknown || edge.lanes == kUnknown) continue;
      double warps = std::min(here.warps, edge.lanes);
      if (edge.lanes >= here.lanes) {
        warps = returns(b) ? groups_back(b) : here.warps;
      } else if (usable) {
        const uint64_t out = from->edge_warps[int(k) == side ? 0 : 1];
        warps = here.warps * double(out) / double(branch->warps);
      }
      set_edge(block.out[k], &SassFlow::Count::warps, warps);
      any = true;
    }
    return any;
  }

  void measure() {
    double total = 0, unsure = 0;
    for (int b = 0; b < int(g_.blocks.size()); ++b) {
      SassFlow::Count& c = flow_.blocks[b];
      c.warps = std::max(c.warps, 0.0);
      c.lanes = std::max(c.lanes, 0.0);
      const double executed = c.warps * (g_.blocks[b].last - g_.blocks[b].first);
      if (internal(b)) continue;
      total += executed;
      if (m_.stands_for[b] < 0 && !m_.cold[b]) unsure += executed;
    }
    for (SassFlow::Count& c : flow_.edges) {
      c.warps = std::max(c.warps, 0.0);
      c.lanes = std::max(c.lanes, 0.0);
    }
    flow_.unsure = total > 0 ? unsure / total : 0;
  }

  const SassMap& m_;
  const SassGraph& g_;
  const KernelProfile& p_;
  SassFlow flow_;
  std::set<int> to_peel_, to_settle_, to_guess_;  // blocks that changed since they were looked at
  std::vector<std::vector<int>> joined_after_;    // by block: those that join what it set
  std::vector<double> entered_;                   // by PTX block
};

}  // namespace

SassFlow solve_flow(const SassMap& map, const KernelProfile& profile) {
  return Solver(map, profile).run();
}

}  // namespace lockstep::emulator
