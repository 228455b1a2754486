// SPDX-License-Identifier: Apache-2.0
// Walks a routine from its entry, once for every set of ways that the lanes of a warp take through
// it: groups of lanes part at its tests and meet where a sync stands, in the order of addresses.
#include "emulator/sass_routines.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lockstep::emulator {
namespace {

// Lanes that go together: the ways that they take, by number.
using Group = std::vector<int>;

// A call of a warp: executions by groups and lanes, by block of the routine and by edge.
struct Call {
  std::vector<std::pair<int, SassFlow::Count>> blocks, edges;
  double groups_back = 0;
};

class Walker {
 public:
  Walker(const SassMap& map, const KernelProfile& profile, SassFlow* flow)
      : map_(map), graph_(map.graph), profile_(profile), flow_(*flow) {}

  void settle_routines() {
    for (int f = 0; f < int(graph_.functions.size()); ++f) {
      if (!graph_.functions[f].internal) continue;
      clear(f);
      SassFlow::Count unknown;
      for (int b = 0; b < int(graph_.blocks.size()); ++b) {
        if (graph_.blocks[b].call != f || flow_.blocks[b].warps <= 0) continue;
        if (take_ways(b, f)) continue;
        if (has_tests(f) && flow_.not_known.empty())
          flow_.not_known = "the way through ptxas's routine" + of(b) + " is not known";
        unknown.warps += flow_.blocks[b].warps;
        unknown.lanes += flow_.blocks[b].lanes;
      }
      walk(graph_.functions[f].entry, unknown);
    }
  }

 private:
  void clear(int function) {
    for (int b = 0; b < int(graph_.blocks.size()); ++b) {
      if (graph_.blocks[b].function != function) continue;
      flow_.blocks[b] = {0, 0};
      for (int e : graph_.blocks[b].out) flow_.edges[e] = {0, 0};
    }
  }

  static void add(SassFlow::Count* to, SassFlow::Count count) {
    to->warps += count.warps;
    to->lanes += count.lanes;
  }

  // One without goes one way whatever the operands.
  bool has_tests(int function) const {
    for (int b = graph_.functions[function].entry; b <= last_block(function); ++b)
      if (graph_.blocks[b].out.size() > 1) return true;
    return false;
  }

  std::string of(int caller) const {
    const int p = map_.ptx[graph_.blocks[caller].last - 1];
    return p < 0 ? "" : " for " + profile_.instructions[p].opcode;
  }

  int last_block(int function) const {
    int b = graph_.functions[function].entry;
    while (b + 1 < int(graph_.blocks.size()) && graph_.blocks[b + 1].function == function) ++b;
    return b;
  }

  // Walks what a block calls by the ways that execution saw. False: they are not known.
  bool take_ways(int caller, int function) {
    const int p = map_.ptx[graph_.blocks[caller].last - 1];
    if (p < 0) return false;
    const InstructionProfile& op = profile_.instructions[p];
    std::vector<std::pair<Call, double>> calls;
    for (const auto& [ways, times] : op.slow_calls) {
      Call call;
      if (!walk_ways(function, slow_op(op.opcode), ways, times, &call)) return false;
      calls.emplace_back(std::move(call), double(times.warps));
    }
    if (calls.empty() || op.slow_path == 0) return false;
    const double share = flow_.blocks[caller].warps / double(op.slow_path);  // of copies
    double back = 0;
    for (const auto& [call, warps] : calls) {
      for (const auto& [b, n] : call.blocks)
        add(&flow_.blocks[b], {n.warps * warps * share, n.lanes * share});
      for (const auto& [e, n] : call.edges)
        add(&flow_.edges[e], {n.warps * warps * share, n.lanes * share});
      back += call.groups_back * warps * share;
    }
    return_apart(caller, back - flow_.blocks[caller].warps);
    return true;
  }

  // One warp whose lanes take these ways. False: the routine has other tests than are known.
  bool walk_ways(int function, SlowOp op, uint32_t ways, const SlowCalls& times, Call* call) const {
    const int entry = graph_.functions[function].entry, last = last_block(function);
    std::vector<std::vector<Group>> here(size_t(last + 1 - entry));
    std::vector<size_t> tests(kMostSlowWays);  // by way: those behind it
    for (int way = 1; way < kMostSlowWays; ++way) {
      if ((ways >> way & 1) == 0) continue;
      if (here[0].empty()) here[0].emplace_back();
      here[0][0].push_back(way);
    }
    for (int b = entry; b <= last; ++b) {
      std::vector<Group>& groups = here[size_t(b - entry)];
      if (groups.empty()) continue;
      const SassBlock& block = graph_.blocks[b];
      if (block.sync_of >= 0) groups = {all_of(groups)};
      call->blocks.emplace_back(b, count(groups, times));
      if (block.out.empty() || block.out.size() > 2) return false;
      for (const Group& group : groups) {
        std::vector<Group> sides(block.out.size());
        for (int way : group) {
          const int side = side_of(block, op, way, &tests[size_t(way)]);
          if (side < 0) return false;
          sides[size_t(side)].push_back(way);
        }
        for (size_t side = 0; side < sides.size(); ++side) {
          if (sides[side].empty()) continue;
          call->edges.emplace_back(block.out[side], count({sides[side]}, times));
          const int to = graph_.edges[block.out[side]].to;
          if (to < 0) {
            ++call->groups_back;
          } else if (to <= b || to > last) {
            return false;
          } else {
            here[size_t(to - entry)].push_back(sides[side]);
          }
        }
      }
    }
    for (int way = 1; way < kMostSlowWays; ++way)
      if ((ways >> way & 1) != 0 && tests[size_t(way)] != tests_on_way(op, way).size())
        return false;
    return true;
  }

  static Group all_of(const std::vector<Group>& groups) {
    Group all;
    for (const Group& group : groups) all.insert(all.end(), group.begin(), group.end());
    return all;
  }

  // Groups of one warp, lanes of all warps.
  static SassFlow::Count count(const std::vector<Group>& groups, const SlowCalls& times) {
    SassFlow::Count sum{double(groups.size()), 0};
    for (int way : all_of(groups)) sum.lanes += double(times.lanes[way]);
    return sum;
  }

  // Index of the out-edge that a way takes; -1: it has no more tests.
  int side_of(const SassBlock& block, SlowOp op, int way, size_t* tests) const {
    if (block.out.size() == 1) return 0;
    const std::string_view all = tests_on_way(op, way);
    if (*tests >= all.size()) return -1;
    const bool taken = all[(*tests)++] == 't';
    return graph_.edges[block.out[0]].taken == taken ? 0 : 1;
  }

  // Groups that return apart go on apart up to the next sync.
  void return_apart(int caller, double more) {
    if (more <= 0) return;
    for (int b = caller; graph_.blocks[b].out.size() == 1;) {
      const int e = graph_.blocks[b].out[0];
      flow_.edges[e].warps += more;
      b = graph_.edges[e].to;
      if (b < 0 || graph_.blocks[b].sync_of >= 0) break;
      flow_.blocks[b].warps += more;
    }
  }

  // Where the ways are not known: blocks lie in the order of flow. The first half tells special
  // operands apart, which are rare; in the second, where results are rounded and scaled, either way
  // is as likely.
  void walk(int entry, SassFlow::Count calls) {
    const int last = last_block(graph_.blocks[entry].function);
    const int middle = (graph_.blocks[entry].first + graph_.blocks[last].last) / 2;
    std::vector<SassFlow::Count> here(size_t(last + 1 - entry));
    here[0] = calls;
    for (int b = entry; b <= last; ++b) {
      const SassBlock& block = graph_.blocks[b];
      const SassFlow::Count count = here[size_t(b - entry)];
      add(&flow_.blocks[b], count);
      if (count.warps <= 0 || block.out.empty()) continue;
      const bool open = block.out.size() == 2 && block.first > middle;
      const double share = open ? 0.5 : 1;
      for (int e : open ? block.out : std::vector<int>{block.out.back()}) {
        const SassFlow::Count part{count.warps * share, count.lanes * share};
        add(&flow_.edges[e], part);
        const int to = graph_.edges[e].to;
        if (to <= b || to > last) continue;
        add(&here[size_t(to - entry)], part);
      }
    }
  }

  const SassMap& map_;
  const SassGraph& graph_;
  const KernelProfile& profile_;
  SassFlow& flow_;
};

}  // namespace

void walk_routines(const SassMap& map, const KernelProfile& profile, SassFlow* flow) {
  Walker(map, profile, flow).settle_routines();
}

}  // namespace lockstep::emulator
