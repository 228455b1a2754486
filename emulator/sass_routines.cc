// SPDX-License-Identifier: Apache-2.0
// Walks a routine from its entry, once for the calls with zeros and once for all others.
#include "emulator/sass_routines.h"

#include <algorithm>
#include <vector>

namespace lockstep::emulator {
namespace {

// The routines' tests one after another, up to the one by which zeros leave. Division: both exponents
// ordinary; NaN; 0/0; infinity/infinity; the result is zero. Square root: zero.
int tests_of_zero(const std::string& opcode) {
  if (opcode.rfind("div", 0) == 0) return 5;
  if (opcode.rfind("sqrt", 0) == 0) return 1;
  return 0;
}

class Walker {
 public:
  Walker(const SassMap& map, const KernelProfile& profile, SassFlow* flow)
      : map_(map), graph_(map.graph), profile_(profile), flow_(*flow) {}

  // ptxas's own routines: entered once a call; inside, the way that calls most often go.
  void settle_routines() {
    for (int f = 0; f < int(graph_.functions.size()); ++f) {
      if (!graph_.functions[f].internal) continue;
      const int entry = graph_.functions[f].entry;
      clear(f);
      SassFlow::Count calls;
      for (int b = 0; b < int(graph_.blocks.size()); ++b) {
        if (graph_.blocks[b].call != f || flow_.blocks[b].warps <= 0) continue;
        SassFlow::Count here = flow_.blocks[b];
        take_zeros(b, entry, &here);
        calls.warps += here.warps;
        calls.lanes += here.lanes;
      }
      walk(entry, calls);
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

  void pass(int e, SassFlow::Count count) {
    flow_.edges[e].warps += count.warps;
    flow_.edges[e].lanes += count.lanes;
  }

  void enter(int b, SassFlow::Count count) {
    flow_.blocks[b].warps += count.warps;
    flow_.blocks[b].lanes += count.lanes;
  }

  // Walks the part of a block's calls that has zeros, and takes it off the calls.
  void take_zeros(int caller, int entry, SassFlow::Count* calls) {
    const int p = map_.ptx[graph_.blocks[caller].last - 1];
    if (p < 0) return;
    const InstructionProfile& op = profile_.instructions[p];
    const int tests = tests_of_zero(op.opcode);
    if (op.slow_zero == 0 || tests == 0) return;
    std::vector<int> way = way_of_zero(entry, tests);
    if (way.empty()) return;
    const SassFlow::Count zeros{
        calls->warps * double(op.slow_zero) / double(op.slow_path),
        calls->lanes * double(op.slow_zero_lanes) / double(op.slow_path_lanes)};
    enter(entry, zeros);
    for (int e : way) {
      pass(e, zeros);
      if (graph_.edges[e].to >= 0) enter(graph_.edges[e].to, zeros);
    }
    // Lanes with and without zeros may be of the same warps, which go both ways then.
    const double rest = calls->lanes > 0 ? 1 - zeros.lanes / calls->lanes : 0;
    calls->warps = std::max(calls->warps - zeros.warps, calls->warps * rest);
    calls->lanes -= zeros.lanes;
  }

  // Edges: down all tests but the last, which is taken, and on to the return. Empty: the routine is
  // not as known.
  std::vector<int> way_of_zero(int entry, int tests) const {
    std::vector<int> way;
    for (int b = entry; way.size() < 64;) {
      const std::vector<int>& out = graph_.blocks[b].out;
      if (out.empty() || out.size() > 2 || (out.size() == 2 && tests == 0)) return {};
      int e = out.back();
      if (out.size() == 2 && --tests == 0) e = out.front();
      way.push_back(e);
      b = graph_.edges[e].to;
      if (b < 0) return tests == 0 ? way : std::vector<int>{};
    }
    return {};
  }

  // Blocks lie in the order of flow. The first half tells special operands apart, which are rare;
  // in the second, where results are rounded and scaled, either way is as likely.
  void walk(int entry, SassFlow::Count calls) {
    const int function = graph_.blocks[entry].function;
    int last = entry;
    while (last + 1 < int(graph_.blocks.size()) && graph_.blocks[last + 1].function == function)
      ++last;
    const int middle = (graph_.blocks[entry].first + graph_.blocks[last].last) / 2;
    std::vector<SassFlow::Count> here(last + 1 - entry);
    here[0] = calls;
    for (int b = entry; b <= last; ++b) {
      const SassBlock& block = graph_.blocks[b];
      const SassFlow::Count count = here[b - entry];
      enter(b, count);
      if (count.warps <= 0 || block.out.empty()) continue;
      const bool open = block.out.size() == 2 && block.first > middle;
      const double share = open ? 0.5 : 1;
      for (int e : open ? block.out : std::vector<int>{block.out.back()}) {
        const SassFlow::Count part{count.warps * share, count.lanes * share};
        pass(e, part);
        const int to = graph_.edges[e].to;
        if (to <= b || to > last) continue;
        here[to - entry].warps += part.warps;
        here[to - entry].lanes += part.lanes;
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
