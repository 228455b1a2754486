// SPDX-License-Identifier: Apache-2.0
// Immediate dominators by the iterative algorithm on reverse postorder (Cooper, Harvey, Kennedy).
// No recursion: the code comes from outside.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace lockstep::emulator {

inline constexpr uint32_t kNoBlock = ~0u;

// Blocks in postorder from `root` along `next`.
template <class Next>
std::vector<uint32_t> postorder(uint32_t root, size_t count, Next next) {
  std::vector<uint32_t> order;
  std::vector<uint8_t> seen(count, 0);
  std::vector<std::pair<uint32_t, uint32_t>> stack{{root, 0}};
  seen[root] = 1;
  while (!stack.empty()) {
    auto& [block, at] = stack.back();
    const std::vector<uint32_t>& to = next(block);
    if (at < to.size()) {
      const uint32_t child = to[at++];
      if (!seen[child]) seen[child] = 1, stack.emplace_back(child, 0);
    } else {
      order.push_back(block);
      stack.pop_back();
    }
  }
  return order;
}

// Immediate dominators in the graph given by next and its reverse; kNoBlock: not reached.
template <class Next, class Back>
std::vector<uint32_t> dominators(uint32_t root, size_t count, Next next, Back back) {
  const std::vector<uint32_t> order = postorder(root, count, next);
  std::vector<uint32_t> number(count, kNoBlock), idom(count, kNoBlock);
  for (uint32_t i = 0; i < order.size(); ++i) number[order[i]] = i;
  idom[root] = root;
  auto meet = [&](uint32_t a, uint32_t b) {
    while (a != b) {
      while (number[a] < number[b]) a = idom[a];
      while (number[b] < number[a]) b = idom[b];
    }
    return a;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = order.size(); i-- > 0;) {
      const uint32_t block = order[i];
      if (block == root) continue;
      uint32_t best = kNoBlock;
      for (uint32_t p : back(block))
        if (idom[p] != kNoBlock) best = best == kNoBlock ? p : meet(best, p);
      if (best != idom[block]) idom[block] = best, changed = true;
    }
  }
  return idom;
}

}  // namespace lockstep::emulator
