// SPDX-License-Identifier: Apache-2.0
// Post-dominators of the graph without the ways that drop out: early ends, then ways out of loops.
#include "emulator/code/joins.h"

#include <algorithm>
#include <map>

#include "emulator/code/dominators.h"

namespace lockstep::emulator {
namespace {

constexpr size_t kMostLoops = 1024;           // of a function; beyond, plain post-dominators do
constexpr size_t kMostBlocksWithEnds = 2048;  // beyond, ways to other ends are not looked at

using Graph = std::vector<std::vector<uint32_t>>;

std::vector<uint32_t> post_dominators(const Graph& next, uint32_t end) {
  Graph back(next.size());
  for (uint32_t b = 0; b < next.size(); ++b)
    for (uint32_t to : next[b]) back[to].push_back(b);
  return dominators(
      end, next.size(), [&](uint32_t b) -> const std::vector<uint32_t>& { return back[b]; },
      [&](uint32_t b) -> const std::vector<uint32_t>& { return next[b]; });
}

class JoinFinder {
 public:
  JoinFinder(const Cfg& cfg, const std::vector<InstructionFlow>& flows, bool kernel)
      : cfg_(cfg), flows_(flows), kernel_(kernel), count_(cfg.blocks.size()) {}

  Joins run() {
    out_.join.resize(count_);
    for (uint32_t b = 0; b < count_; ++b) out_.join[b] = cfg_.blocks[b].post_dominator;
    out_.left[0].assign(count_, Joins::kNone);
    out_.left[1].assign(count_, Joins::kNone);
    find_loops();
    if (kernel_) pass_by_exits();
    if (headers_.size() > kMostLoops) return std::move(out_);
    // An inner loop first: what leaves it may yet meet in the loop around it.
    using Loop = std::pair<const uint32_t, std::vector<bool>>;
    std::vector<const Loop*> loops;
    for (const Loop& loop : headers_) loops.push_back(&loop);
    std::stable_sort(loops.begin(), loops.end(), [](const Loop* a, const Loop* b) {
      return blocks_of(a->second) < blocks_of(b->second);
    });
    for (const Loop* loop : loops) stay_in_loop(loop->first, loop->second);
    return std::move(out_);
  }

 private:
  bool ends_kernel(uint32_t b) const {
    const BasicBlock& block = cfg_.blocks[b];
    if (block.first == block.last) return false;
    const InstructionFlow& last = flows_[block.last - 1];
    return (last.flow == Flow::kReturn || last.flow == Flow::kExit) && !last.guarded;
  }

  bool only_ends_kernel(uint32_t b) const {
    return ends_kernel(b) && cfg_.blocks[b].last - cfg_.blocks[b].first == 1;
  }

  bool jumps_to(uint32_t b, uint32_t to) const {
    const BasicBlock& block = cfg_.blocks[b];
    if (block.first == block.last) return false;
    for (uint32_t t : flows_[block.last - 1].targets)
      if (cfg_.block_of[t] == to) return true;
    return false;
  }

  // Post-dominators in which early ends of the kernel do not count: jumps to the block that only
  // returns, and returns before the last one.
  void pass_by_exits() {
    const uint32_t end = cfg_.end_block();
    uint32_t last_end = end;
    for (uint32_t b = 0; b < end; ++b)
      if (ends_kernel(b)) last_end = b;
    Graph next(count_);
    std::vector<bool> early(count_, false);
    for (uint32_t b = 0; b < count_; ++b) {
      for (uint32_t to : cfg_.blocks[b].successors) {
        const bool jump = to != end && only_ends_kernel(to) && jumps_to(b, to);
        const bool other_end = to == end && b != last_end;
        if (jump || other_end)
          early[b] = true;
        else
          next[b].push_back(to);
      }
    }
    const std::vector<uint32_t> post = post_dominators(next, end);
    for (uint32_t b = 0; b < end; ++b) {
      // A branch of which one way ends the kernel has no meeting of its own: who stays goes on
      // to where the group was to meet others.
      if (early[b])
        out_.join[b] = end;
      else if (post[b] != kNoBlock)
        out_.join[b] = post[b];
    }
    if (count_ <= kMostBlocksWithEnds) meet_before_ends(next, early);
  }

  // Branches of which one way comes to an end of its own before it meets the other: some lanes of
  // both may meet on the way to another end, as those do that skip an else.
  void meet_before_ends(const Graph& next, const std::vector<bool>& early) {
    const uint32_t end = cfg_.end_block();
    std::vector<uint32_t> open, meetings;
    for (uint32_t b = 0; b < end; ++b) {
      if (next[b].size() == 2 && !early[b] && !both_reach(next, b, out_.join[b])) open.push_back(b);
    }
    for (uint32_t e = end; e-- > 0 && !open.empty();) {
      if (!early[e] || !next[e].empty()) continue;
      Graph here = next;
      for (auto& to : here) std::erase(to, end);
      here[e].push_back(end);
      const std::vector<uint32_t> post = post_dominators(here, end);
      std::erase_if(open, [&](uint32_t b) {
        if (post[b] == kNoBlock || post[b] == end || !both_reach(next, b, post[b])) return false;
        meetings.push_back(out_.join[b] = post[b]);
        return true;
      });
    }
    // Branches on the way there have no meeting of their own.
    for (uint32_t b : open) {
      for (uint32_t goal : meetings)
        if (reaches(next, b, goal)) out_.join[b] = end;
    }
  }

  static bool both_reach(const Graph& next, uint32_t b, uint32_t goal) {
    return std::all_of(next[b].begin(), next[b].end(),
                       [&](uint32_t way) { return reaches(next, way, goal); });
  }

  static bool reaches(const Graph& next, uint32_t from, uint32_t goal) {
    std::vector<bool> seen(next.size());
    std::vector<uint32_t> work{from};
    while (!work.empty()) {
      const uint32_t at = work.back();
      work.pop_back();
      if (at == goal) return true;
      if (seen[at]) continue;
      seen[at] = true;
      work.insert(work.end(), next[at].begin(), next[at].end());
    }
    return false;
  }

  static int64_t blocks_of(const std::vector<bool>& body) {
    return std::count(body.begin(), body.end(), true);
  }

  void find_loops() {
    for (uint32_t b = 0; b < count_; ++b) {
      for (uint32_t header : cfg_.blocks[b].successors) {
        if (!cfg_.is_back_edge(b, header)) continue;
        std::vector<bool>& body = headers_[header];
        body.resize(count_);
        body[header] = true;
        std::vector<uint32_t> pending{b};
        while (!pending.empty()) {
          const uint32_t x = pending.back();
          pending.pop_back();
          if (body[x]) continue;
          body[x] = true;
          for (uint32_t p : cfg_.blocks[x].predecessors) pending.push_back(p);
        }
      }
      if (headers_.size() > kMostLoops) return;
    }
  }

  // Branches of a loop whose ways meet within it, but for those that leave it.
  void stay_in_loop(uint32_t header, const std::vector<bool>& body) {
    const auto sink = static_cast<uint32_t>(count_);  // the header's next turn
    Graph next(count_ + 1);
    bool any = false;
    for (uint32_t b = 0; b < count_; ++b) {
      if (!body[b]) continue;
      for (uint32_t to : cfg_.blocks[b].successors) {
        if (to == header)
          next[b].push_back(sink);
        else if (body[to])
          next[b].push_back(to);
        else if (is_table(b))
          return;  // leaving by table is not followed
      }
      any |= wants_join(b, body);
    }
    if (!any) return;
    const std::vector<uint32_t> post = post_dominators(next, sink);
    for (uint32_t b = 0; b < count_; ++b) {
      if (!body[b] || next[b].size() < 2 || !wants_join(b, body) || post[b] == kNoBlock) continue;
      out_.join[b] = post[b] == sink ? header : post[b];
    }
    note_ways_out(body);
  }

  bool is_table(uint32_t b) const {
    const BasicBlock& block = cfg_.blocks[b];
    return block.first != block.last && flows_[block.last - 1].flow == Flow::kTable;
  }

  bool wants_join(uint32_t b, const std::vector<bool>& body) const {
    return body[b] && cfg_.blocks[b].successors.size() > 1 && !body[out_.join[b]];
  }

  void note_ways_out(const std::vector<bool>& body) {
    const auto loop = static_cast<uint32_t>(out_.loops.size());
    const int64_t blocks = blocks_of(body);
    out_.loops.push_back(body);
    for (uint32_t b = 0; b < count_; ++b) {
      if (!body[b] || cfg_.blocks[b].first == cfg_.blocks[b].last) continue;
      const InstructionFlow& last = flows_[cfg_.blocks[b].last - 1];
      for (int way = 0; way < 2; ++way) {
        if (way == 0 && last.targets.empty()) continue;
        const uint32_t to = way == 0 ? cfg_.block_of[last.targets[0]] : b + 1;
        if (to >= count_ || body[to]) continue;
        uint32_t& left = out_.left[way][b];
        if (left == Joins::kNone || blocks_of(out_.loops[left]) < blocks) left = loop;
      }
    }
  }

  const Cfg& cfg_;
  const std::vector<InstructionFlow>& flows_;
  bool kernel_;
  size_t count_;
  std::map<uint32_t, std::vector<bool>> headers_;
  Joins out_;
};

}  // namespace

Joins find_joins(const Cfg& cfg, const std::vector<InstructionFlow>& flows, bool kernel) {
  return JoinFinder(cfg, flows, kernel).run();
}

}  // namespace lockstep::emulator
