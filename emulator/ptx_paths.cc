// SPDX-License-Identifier: Apache-2.0
// A block is on every way where no way from the other leads around it, forwards or backwards.

#include "emulator/ptx_paths.h"

namespace lockstep::emulator {

PtxPaths::PtxPaths(const std::vector<BlockProfile>& blocks)
    : next_(blocks.size()), back_(blocks.size()) {
  for (size_t b = 0; b < blocks.size(); ++b) {
    for (int to : blocks[b].successors) {
      if (to < 0 || to >= int(blocks.size())) continue;
      next_[b].push_back(to);
      back_[to].push_back(int(b));
    }
  }
}

bool PtxPaths::aside(int block, int by) {
  if (block == by) return false;
  const auto [at, fresh] = known_.emplace(std::pair(block, by), false);
  if (fresh) at->second = escapes(next_, by, block) && escapes(back_, by, block);
  return at->second;
}

// True where a way from `from` comes to an end of the graph without passing `around`.
bool PtxPaths::escapes(const Graph& graph, int from, int around) {
  std::vector<bool> seen(graph.size());
  std::vector<int> work{from};
  seen[from] = seen[around] = true;
  while (!work.empty()) {
    const int b = work.back();
    work.pop_back();
    if (graph[b].empty()) return true;
    for (int to : graph[b]) {
      if (!seen[to]) work.push_back(to);
      seen[to] = true;
    }
  }
  return false;
}

}  // namespace lockstep::emulator
