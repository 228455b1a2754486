// SPDX-License-Identifier: Apache-2.0
// A cold way is straight: from its BRA.DIV by the collectives of one or more operations to where
// the short way leads, too. Groups go it that came apart to the first of these operations.
#include "emulator/sass_collectives.h"

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

namespace lockstep::emulator {
namespace {

struct Collective {
  int ptx = -1;             // its operation
  int first = 0, last = 0;  // SASS instructions that are executed once for all: [first, last)
};

struct Way {
  int from = -1;  // block that ends with the BRA.DIV
  int cold_edge = -1, short_edge = -1;
  std::vector<int> cold, brief;  // blocks of the two ways
  std::vector<Collective> collectives;
};

class Collectives {
 public:
  Collectives(const SassMap& map, const KernelProfile& profile, SassFlow* flow)
      : m_(map), g_(map.graph), p_(profile), flow_(*flow) {}

  void run() {
    if (std::none_of(p_.instructions.begin(), p_.instructions.end(),
                     [](const InstructionProfile& i) { return i.apart.groups > 0; })) {
      return;
    }
    find_ways();
    std::map<int, double> passing;  // by first operation: how often its ways' turns have it
    for (const Way& way : ways_)
      passing[way.collectives[0].ptx] += flow_.blocks[way.from].warps * turns_of(way);
    std::map<int, double> coming;  // by operation: groups that come to it on cold ways
    for (const Way& way : ways_) {
      const int p = way.collectives[0].ptx;
      const double share = passing[p] > 0 ? flow_.blocks[way.from].warps / passing[p] : 0;
      const LaneGroups& apart = p_.instructions[p].apart;
      take(way, {double(apart.groups) * share, double(apart.lanes) * share});
      for (const Collective& c : way.collectives) coming[c.ptx] += double(apart.groups) * share;
    }
    for (const Way& way : ways_) meet(way, coming);
    check(coming);
  }

 private:
  void find_ways() {
    for (int b = 0; b < int(g_.blocks.size()); ++b) {
      if (m_.cold[b] || g_.functions[g_.blocks[b].function].internal) continue;
      if (std::optional<Way> way = way_of(b)) ways_.push_back(std::move(*way));
    }
  }

  std::optional<Way> way_of(int b) const {
    Way way;
    way.from = b;
    for (int e : g_.blocks[b].out) (g_.edges[e].cold ? way.cold_edge : way.short_edge) = e;
    if (way.cold_edge < 0 || way.short_edge < 0) return {};
    const int joint = follow(g_.edges[way.cold_edge].to, -1, &way.cold);
    if (joint < 0 || follow(g_.edges[way.short_edge].to, joint, &way.brief) != joint) return {};
    for (int c : way.cold)
      if (!add_collectives(c, &way.collectives)) return {};
    if (way.collectives.empty()) return {};
    return way;
  }

  // Straight on from a block to `end`, or (-1) out of the cold blocks; -1: it is not straight.
  int follow(int b, int end, std::vector<int>* blocks) const {
    while (b >= 0 && b != end && (end >= 0 || m_.cold[b])) {
      const SassBlock& block = g_.blocks[b];
      const bool entered = block.in.size() == 1 || block.sync_of >= 0;
      if (!entered || block.out.size() != 1 || block.call >= 0) return -1;
      if (blocks->size() >= g_.blocks.size()) return -1;
      blocks->push_back(b);
      b = g_.edges[block.out[0]].to;
    }
    return b;
  }

  // False: one that does not end in its block, or of no known operation.
  bool add_collectives(int b, std::vector<Collective>* all) const {
    int begun = -1;
    for (int i = g_.blocks[b].first; i < g_.blocks[b].last; ++i) {
      if (g_.code[i].collective) {
        if (begun >= 0 || m_.ptx[i] < 0) return false;
        begun = i;
      } else if (g_.code[i].kind == SassKind::kEndCollective) {
        if (begun < 0) return false;
        all->push_back({m_.ptx[begun], begun + 1, i + 1});
        begun = -1;
      }
    }
    return begun < 0;
  }

  // A way of an unrolled loop has the same operation several times.
  static double turns_of(const Way& way) {
    return double(
        std::count_if(way.collectives.begin(), way.collectives.end(),
                      [&](const Collective& c) { return c.ptx == way.collectives[0].ptx; }));
  }

  static void subtract(SassFlow::Count* from, const SassFlow::Count& part) {
    from->warps = std::max(0.0, from->warps - part.warps);
    from->lanes = std::max(0.0, from->lanes - part.lanes);
  }

  void take(const Way& way, const SassFlow::Count& groups) {
    flow_.edges[way.cold_edge] = groups;
    subtract(&flow_.edges[way.short_edge], groups);
    for (int b : way.cold) {
      flow_.blocks[b] = groups;
      for (int e : g_.blocks[b].out) flow_.edges[e] = groups;
    }
    for (int b : way.brief) {
      subtract(&flow_.blocks[b], groups);
      for (int e : g_.blocks[b].out) subtract(&flow_.edges[e], groups);
    }
  }

  void meet(const Way& way, const std::map<int, double>& coming) {
    for (const Collective& c : way.collectives) {
      const double all = coming.at(c.ptx);
      const double share = all > 0 ? flow_.edges[way.cold_edge].warps / all : 0;
      const LaneGroups &met = p_.instructions[c.ptx].met, &joined = p_.instructions[c.ptx].joined;
      flow_.met[c.first - 1] = {flow_.edges[way.cold_edge].warps + double(joined.groups) * share,
                                flow_.edges[way.cold_edge].lanes + double(joined.lanes) * share};
      for (int i = c.first; i < c.last; ++i)
        flow_.met[i] = {double(met.groups) * share, double(met.lanes) * share};
    }
  }

  // Groups that came apart to an operation whose SASS has ways for them must have gone one.
  void check(const std::map<int, double>& coming) {
    for (int p = 0; p < int(p_.instructions.size()); ++p) {
      const auto found = coming.find(p);
      const double counted = found == coming.end() ? 0 : found->second;
      if (double(p_.instructions[p].apart.groups) <= counted * 1.001 + 0.5 || !has_cold_way(p))
        continue;
      flow_.not_known = "line " + std::to_string(p_.instructions[p].source_line) + ": " +
                        p_.instructions[p].opcode +
                        " is executed by lanes that have parted, and what that costs is not known";
      return;
    }
  }

  bool has_cold_way(int p) const {
    return std::any_of(m_.sass[p].begin(), m_.sass[p].end(), [this](int i) {
      return m_.cold[g_.block_of[i]] || g_.code[i].kind == SassKind::kBranchDivergent ||
             g_.code[i].kind == SassKind::kBranchConvergent;
    });
  }

  const SassMap& m_;
  const SassGraph& g_;
  const KernelProfile& p_;
  SassFlow& flow_;
  std::vector<Way> ways_;
};

}  // namespace

void count_collectives(const SassMap& map, const KernelProfile& profile, SassFlow* flow) {
  Collectives(map, profile, flow).run();
}

}  // namespace lockstep::emulator
