// SPDX-License-Identifier: Apache-2.0
// A region's end is the PTX block that most of the instructions after its sync come from.
#include "emulator/code/sass_joins.h"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace lockstep::emulator {
namespace {

constexpr uint32_t kNowhere = ~0u;
constexpr size_t kMostBlocks = 2048;  // of a kernel; beyond, joins stay as they are

using Blocks = std::vector<bool>;

class Corrector {
 public:
  Corrector(const Cfg& cfg, const std::vector<InstructionFlow>& flows,
            const std::vector<uint32_t>& lines, const SyncHints& syncs, Joins* joins)
      : cfg_(cfg), flows_(flows), syncs_(syncs), joins_(*joins), before_(joins->join) {
    for (uint32_t i = 0; i < lines.size(); ++i) block_of_line_[lines[i]] = cfg.block_of[i];
  }

  void run() {
    if (cfg_.blocks.size() > kMostBlocks) return;
    find_regions();
    for (uint32_t b = 0; b < cfg_.end_block(); ++b)
      if (cfg_.blocks[b].successors.size() > 1 && cfg_.blocks[b].reachable) propose(b);
    while (take_back_one()) {
    }
    // The outermost first: who leaves it leaves those within.
    std::vector<std::pair<int64_t, uint32_t>> order;
    for (const auto& [b, body] : bodies_)
      order.emplace_back(-std::count(body.begin(), body.end(), true), b);
    std::sort(order.begin(), order.end());
    for (const auto& [size, b] : order) note_ways_out(bodies_[b], joins_.join[b]);
  }

 private:
  static constexpr size_t kNone = ~size_t{0}, kSeveral = kNone - 1;
  struct Found {
    size_t region = kNone;
    bool by_table = false;
  };

  uint32_t block_of(uint32_t line) const {
    const auto found = block_of_line_.find(line);
    return found == block_of_line_.end() ? kNowhere : found->second;
  }

  void find_regions() {
    for (const SyncRegion& region : syncs_.regions()) ends_.push_back(end_of(region));
    found_.resize(cfg_.blocks.size());
    for (const SyncedBranch& branch : syncs_.branches()) {
      const uint32_t b = block_of(branch.line);
      if (b == kNowhere) continue;
      Found& found = found_[b];
      found.by_table |= branch.by_table;
      const bool same = found.region == kNone || found.region == branch.region;
      found.region = same ? branch.region : kSeveral;
    }
    // One jump by table may stand for a chain of branches.
    for (uint32_t b = 0; b < cfg_.end_block(); ++b) {
      const std::vector<uint32_t>& from = cfg_.blocks[b].predecessors;
      if (found_[b].region == kNone && from.size() == 1 && found_[from[0]].by_table)
        found_[b] = found_[from[0]];
    }
  }

  uint32_t end_of(const SyncRegion& region) const {
    if (region.before_end) return cfg_.end_block();
    std::map<uint32_t, size_t> votes;
    for (uint32_t line : region.after)
      if (const uint32_t b = block_of(line); b != kNowhere) ++votes[b];
    for (const auto& [b, count] : votes)
      if (2 * count > region.after.size()) return b;
    return kNowhere;
  }

  // A join that the SASS contradicts: lanes meet before it, or it is executed before they meet.
  void propose(uint32_t b) {
    if (found_[b].region >= kSeveral) return;
    const uint32_t join = joins_.join[b], end = ends_[found_[b].region];
    if (end == kNowhere || end == join) return;
    const bool later = lies_in(join, syncs_.regions()[found_[b].region]);
    if (end == cfg_.end_block()) {
      if (later) joins_.join[b] = end;  // as where the group itself meets others
      return;
    }
    const Blocks can = reaching(b, end, later ? kNowhere : join);
    const std::vector<uint32_t>& ways = cfg_.blocks[b].successors;
    if (!std::all_of(ways.begin(), ways.end(), [&](uint32_t way) { return can[way]; })) return;
    joins_.join[b] = end;
    bodies_[b] = body_of(b, end, can);
  }

  // Are there accesses of the block before the sync?
  bool lies_in(uint32_t block, const SyncRegion& region) const {
    return std::any_of(region.inside.begin(), region.inside.end(),
                       [&](uint32_t line) { return block_of(line) == block; });
  }

  // The blocks from which the goal is reached, not through `without`, nor by another turn of a
  // loop around b.
  Blocks reaching(uint32_t b, uint32_t goal, uint32_t without) const {
    Blocks closed(cfg_.blocks.size());
    if (without != kNowhere) closed[without] = true;
    closed[b] = true;
    for (uint32_t d = b; d != cfg_.blocks[d].dominator;)
      closed[d = cfg_.blocks[d].dominator] = true;
    Blocks can(cfg_.blocks.size());
    can[goal] = true;
    std::vector<uint32_t> work{goal};
    while (!work.empty()) {
      const uint32_t at = work.back();
      work.pop_back();
      for (uint32_t from : cfg_.blocks[at].predecessors) {
        if (can[from] || closed[from]) continue;
        can[from] = true;
        work.push_back(from);
      }
    }
    return can;
  }

  // What is executed between the branch and its join, the join included.
  Blocks body_of(uint32_t b, uint32_t end, const Blocks& can) const {
    Blocks body(cfg_.blocks.size());
    body[end] = true;
    std::vector<uint32_t> work = cfg_.blocks[b].successors;
    while (!work.empty()) {
      const uint32_t at = work.back();
      work.pop_back();
      if (body[at] || !can[at]) continue;
      body[at] = true;
      const std::vector<uint32_t>& next = cfg_.blocks[at].successors;
      work.insert(work.end(), next.begin(), next.end());
    }
    return body;
  }

  // Meetings must nest: where one does not, its join is as it was.
  bool take_back_one() {
    for (auto at = bodies_.begin(); at != bodies_.end(); ++at) {
      if (nests(at->first, at->second)) continue;
      joins_.join[at->first] = before_[at->first];
      bodies_.erase(at);
      return true;
    }
    return false;
  }

  bool nests(uint32_t b, const Blocks& body) const {
    const uint32_t end = joins_.join[b];
    for (uint32_t c = 0; c < cfg_.end_block(); ++c) {
      const std::vector<uint32_t>& ways = cfg_.blocks[c].successors;
      if (ways.size() < 2 || c == b) continue;
      const uint32_t join = joins_.join[c];
      if (body[join] && join != end && leads_to(c, b, join)) return false;
      if (!body[c] || c == end) continue;
      const auto inside = [&](uint32_t way) { return body[way]; };
      const bool stays = std::all_of(ways.begin(), ways.end(), inside);
      if (stays ? !body[join] && join != cfg_.end_block() : !may_leave(c, body, end)) return false;
    }
    return true;
  }

  // From the ways of a branch, not through its join.
  bool leads_to(uint32_t branch, uint32_t goal, uint32_t join) const {
    Blocks seen(cfg_.blocks.size());
    seen[join] = true;
    std::vector<uint32_t> work = cfg_.blocks[branch].successors;
    while (!work.empty()) {
      const uint32_t at = work.back();
      work.pop_back();
      if (seen[at]) continue;
      if (at == goal) return true;
      seen[at] = true;
      const std::vector<uint32_t>& next = cfg_.blocks[at].successors;
      work.insert(work.end(), next.begin(), next.end());
    }
    return false;
  }

  // Can lanes drop out of the meeting at this branch?
  bool may_leave(uint32_t c, const Blocks& body, uint32_t end) const {
    const BasicBlock& block = cfg_.blocks[c];
    if (block.successors.size() != 2 || flows_[block.last - 1].flow != Flow::kBranch) return false;
    for (size_t way = 0; way < 2; ++way) {
      const uint32_t left = joins_.left[way][c];
      if (left == Joins::kNone) continue;
      if (body[block.successors[way]] || !joins_.loops[left][end]) return false;
    }
    return true;
  }

  // Lanes that go where the meeting is not drop out of it, as out of a loop.
  void note_ways_out(const Blocks& body, uint32_t end) {
    const auto number = static_cast<uint32_t>(joins_.loops.size());
    joins_.loops.push_back(body);
    for (uint32_t c = 0; c < cfg_.end_block(); ++c) {
      const std::vector<uint32_t>& ways = cfg_.blocks[c].successors;
      if (!body[c] || c == end || ways.size() != 2) continue;
      for (size_t way = 0; way < 2; ++way)
        if (!body[ways[way]] && joins_.left[way][c] == Joins::kNone) joins_.left[way][c] = number;
    }
  }

  const Cfg& cfg_;
  const std::vector<InstructionFlow>& flows_;
  const SyncHints& syncs_;
  Joins& joins_;
  const std::vector<uint32_t> before_;  // the joins that the PTX tells
  std::unordered_map<uint32_t, uint32_t> block_of_line_;
  std::vector<uint32_t> ends_;         // by region: a block; the end block; kNowhere
  std::vector<Found> found_;           // by block
  std::map<uint32_t, Blocks> bodies_;  // of new joins, by branch
};

}  // namespace

void correct_joins(const Cfg& cfg, const std::vector<InstructionFlow>& flows,
                   const std::vector<uint32_t>& lines, const SyncHints& syncs, Joins* joins) {
  if (!syncs.branches().empty()) Corrector(cfg, flows, lines, syncs, joins).run();
}

}  // namespace lockstep::emulator
