// SPDX-License-Identifier: Apache-2.0
// Of the warps that set a sync, those wait in vain that have lanes of both kinds: every warp has
// lanes that come to it or lanes that end before, so both counts together are too many by these.
#include "emulator/sass_waits.h"

#include <algorithm>
#include <vector>

namespace lockstep::emulator {
namespace {

std::vector<bool> reached(const SassGraph& g, int from, int around) {
  std::vector<bool> seen(g.blocks.size());
  std::vector<int> work{from};
  seen[size_t(from)] = true;
  while (!work.empty()) {
    const int b = work.back();
    work.pop_back();
    for (int e : g.blocks[b].out) {
      const int to = g.edges[e].to;
      if (to < 0 || to == around || g.edges[e].cold || seen[to]) continue;
      seen[to] = true;
      work.push_back(to);
    }
  }
  return seen;
}

// Warps that end the kernel on ways from a block that do not come to what follows its sync.
double ends_before(const SassGraph& g, const SassFlow& flow, int set, int joined) {
  const std::vector<bool> after = reached(g, joined, -1), before = reached(g, set, joined);
  double ends = 0;
  for (int b = 0; b < int(g.blocks.size()); ++b) {
    if (!before[b] || after[b]) continue;
    const SassBlock& block = g.blocks[b];
    const bool ended = block.out.size() == 1 && g.edges[block.out[0]].to < 0;
    if (ended && g.code[block.last - 1].kind == SassKind::kExit) ends += flow.blocks[b].warps;
  }
  return ends;
}

}  // namespace

void count_vain_waits(const SassMap& map, SassFlow* flow) {
  const SassGraph& g = map.graph;
  flow->again.assign(g.blocks.size(), {0, 0});
  for (int b = 0; b < int(g.blocks.size()); ++b) {
    const int set = g.blocks[b].sync_of;
    if (set < 0 || map.cold[b] || flow->blocks[b].warps <= 0 || flow->blocks[b].lanes <= 0)
      continue;
    if (g.functions[g.blocks[b].function].internal) continue;
    const SassFlow::Count &here = flow->blocks[b], &all = flow->blocks[set];
    const double ends = std::min(ends_before(g, *flow, set, b), all.warps);
    const double both = std::min(here.warps + ends - all.warps, here.warps);
    if (ends <= 0 || both <= 0) continue;
    // In the other warps all lanes came.
    const double lanes = here.lanes - (here.warps - both) * all.lanes / all.warps;
    for (int e : g.blocks[b].in) {
      const int from = g.edges[e].from;
      if (g.code[g.blocks[from].last - 1].kind != SassKind::kSync) continue;
      const double part = flow->edges[e].lanes / here.lanes;
      flow->again[from] = {both * part, std::max(lanes, both) * part};
    }
  }
}

}  // namespace lockstep::emulator
