// SPDX-License-Identifier: Apache-2.0
// Blocks by leaders, their edges, dominators and post-dominators.
#include "emulator/code/cfg.h"

#include <algorithm>

#include "emulator/code/dominators.h"

namespace lockstep::emulator {
namespace {

constexpr uint32_t kNone = kNoBlock;

void find_blocks(const std::vector<InstructionFlow>& flows, Cfg& cfg) {
  const size_t n = flows.size();
  std::vector<uint8_t> leader(n + 1, 0);
  leader[0] = leader[n] = 1;
  for (size_t i = 0; i < n; ++i) {
    if (flows[i].flow == Flow::kNext) continue;
    leader[i + 1] = 1;
    for (uint32_t t : flows[i].targets) leader[t] = 1;
  }
  cfg.block_of.resize(n + 1);
  for (uint32_t i = 0; i <= n; ++i) {
    if (leader[i]) {
      if (!cfg.blocks.empty()) cfg.blocks.back().last = i;
      cfg.blocks.emplace_back();
      cfg.blocks.back().first = cfg.blocks.back().last = i;
    }
    cfg.block_of[i] = static_cast<uint32_t>(cfg.blocks.size() - 1);
  }
}

void connect(const std::vector<InstructionFlow>& flows, Cfg& cfg) {
  const uint32_t end = cfg.end_block();
  for (uint32_t b = 0; b < end; ++b) {
    BasicBlock& block = cfg.blocks[b];
    const InstructionFlow& last = flows[block.last - 1];
    auto add = [&](uint32_t to) {
      if (std::find(block.successors.begin(), block.successors.end(), to) == block.successors.end())
        block.successors.push_back(to);
    };
    for (uint32_t t : last.targets) add(cfg.block_of[t]);
    if (last.flow == Flow::kReturn || last.flow == Flow::kExit) add(end);
    if (last.flow == Flow::kNext || last.flow == Flow::kCall || last.guarded) add(b + 1);
  }
  for (uint32_t b = 0; b <= end; ++b)
    for (uint32_t s : cfg.blocks[b].successors) cfg.blocks[s].predecessors.push_back(b);
}

}  // namespace

bool Cfg::is_back_edge(uint32_t from, uint32_t to) const {
  if (!blocks[from].reachable) return false;
  while (from != to && blocks[from].dominator != from) from = blocks[from].dominator;
  return from == to;
}

Cfg build_cfg(const std::vector<InstructionFlow>& flows) {
  Cfg cfg;
  find_blocks(flows, cfg);
  connect(flows, cfg);
  const uint32_t end = cfg.end_block();
  const size_t count = cfg.blocks.size();
  std::vector<std::vector<uint32_t>> next(count), back(count);
  for (uint32_t b = 0; b < count; ++b) {
    next[b] = cfg.blocks[b].successors;
    back[b] = cfg.blocks[b].predecessors;
  }
  const auto to_next = [&](uint32_t b) -> const std::vector<uint32_t>& { return next[b]; };
  const auto to_back = [&](uint32_t b) -> const std::vector<uint32_t>& { return back[b]; };
  const std::vector<uint32_t> dom = dominators(0, count, to_next, to_back);
  // Traps and endless loops never reach the end: an edge of their own lets them, so that every
  // block has a post-dominator. Loops are found from the end backwards.
  std::vector<uint8_t> reaches(count, 0);
  auto mark = [&](uint32_t from) {
    std::vector<uint32_t> pending{from};
    reaches[from] = 1;
    while (!pending.empty()) {
      const uint32_t x = pending.back();
      pending.pop_back();
      for (uint32_t p : cfg.blocks[x].predecessors)
        if (!reaches[p]) reaches[p] = 1, pending.push_back(p);
    }
  };
  mark(end);
  for (uint32_t b = static_cast<uint32_t>(count); b-- > 0;) {
    if (reaches[b]) continue;
    next[b].push_back(end);
    back[end].push_back(b);
    mark(b);
  }
  const std::vector<uint32_t> post = dominators(end, count, to_back, to_next);
  for (uint32_t b = 0; b < count; ++b) {
    cfg.blocks[b].reachable = dom[b] != kNone;
    cfg.blocks[b].dominator = dom[b] == kNone ? b : dom[b];
    cfg.blocks[b].post_dominator = post[b] == kNone || b == end ? end : post[b];
  }
  for (uint32_t b = 0; b < count; ++b)
    for (uint32_t s : cfg.blocks[b].successors)
      if (cfg.is_back_edge(b, s)) cfg.blocks[s].loop_header = true;
  return cfg;
}

}  // namespace lockstep::emulator
