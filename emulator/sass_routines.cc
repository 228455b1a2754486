// SPDX-License-Identifier: Apache-2.0
// Walks a routine from its entry, once for all calls.
#include "emulator/sass_routines.h"

#include <vector>

namespace lockstep::emulator {
namespace {

class Walker {
 public:
  Walker(const SassGraph& graph, SassFlow* flow) : graph_(graph), flow_(flow) {}

  // ptxas's own routines: entered once a call; inside, the way that calls most often go.
  void settle_routines() {
    for (int f = 0; f < int(graph_.functions.size()); ++f) {
      if (!graph_.functions[f].internal) continue;
      SassFlow::Count calls;
      for (int b = 0; b < int(graph_.blocks.size()); ++b) {
        if (graph_.blocks[b].call != f || flow_->blocks[b].warps <= 0) continue;
        calls.warps += flow_->blocks[b].warps;
        calls.lanes += flow_->blocks[b].lanes;
      }
      walk_routine(graph_.functions[f].entry, calls);
    }
  }

 private:
  void walk_routine(int entry, SassFlow::Count calls) {
    const int function = graph_.blocks[entry].function;
    for (int b = 0; b < int(graph_.blocks.size()); ++b) {
      if (graph_.blocks[b].function != function) continue;
      flow_->blocks[b] = {0, 0};
      for (int e : graph_.blocks[b].out) flow_->edges[e] = {0, 0};
    }
    // Blocks lie in the order of flow. The first half tells special operands apart, which are rare;
    // in the second, where results are rounded and scaled, either way is as likely.
    int last = entry;
    while (last + 1 < int(graph_.blocks.size()) && graph_.blocks[last + 1].function == function)
      ++last;
    const int middle = (graph_.blocks[entry].first + graph_.blocks[last].last) / 2;
    flow_->blocks[entry] = calls;
    for (int b = entry; b <= last; ++b) {
      const SassBlock& block = graph_.blocks[b];
      if (flow_->blocks[b].warps <= 0 || block.out.empty()) continue;
      const bool open = block.out.size() == 2 && block.first > middle;
      for (int e : open ? block.out : std::vector<int>{block.out.back()}) {
        const double share = open ? 0.5 : 1;
        const SassFlow::Count part{flow_->blocks[b].warps * share, flow_->blocks[b].lanes * share};
        flow_->edges[e] = part;
        const int to = graph_.edges[e].to;
        if (to <= b) continue;
        flow_->blocks[to].warps += part.warps;
        flow_->blocks[to].lanes += part.lanes;
      }
    }
  }

  const SassGraph& graph_;
  SassFlow* flow_;
};

}  // namespace

void walk_routines(const SassGraph& graph, SassFlow* flow) {
  Walker(graph, flow).settle_routines();
}

}  // namespace lockstep::emulator
