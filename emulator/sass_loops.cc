// SPDX-License-Identifier: Apache-2.0
// The rule of the walk: with r turns left, go where the largest part that fits into r can be
// reached without doing other turns first; with none left, leave.

#include "emulator/sass_loops.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "emulator/ptx_loops.h"

namespace lockstep::emulator {
namespace {

constexpr size_t kMostDistinctTurns = 4096;
constexpr int kMostSteps = 256;  // parts entered in one stay

class Walker {
 public:
  Walker(const SassMap& map, const KernelProfile& profile, const PtxLoop& loop)
      : m_(map), g_(map.graph), p_(profile), of_(loop) {}

  // The parts are the blocks that hold the operation of which there are most copies: a memory
  // operation where the loop has any.
  bool find_parts() {
    std::map<Key, std::map<int, int>> counts = count_instructions();
    const std::map<int, int>* most = nullptr;
    std::map<int, int> instructions_with, keys_with;  // by number of copies
    int most_copies = 0, all = 0;
    for (auto& [key, places] : counts) {
      int fewest = 1 << 30, copies = 0, instructions = 0;
      for (const auto& [b, n] : places) {
        fewest = std::min(fewest, n);
        instructions += n;
      }
      for (auto& [b, n] : places) copies += n /= fewest;
      instructions_with[copies] += instructions;
      keys_with[copies]++;
      all += instructions;
      if (copies <= most_copies) continue;
      most_copies = copies;
      most = &places;
    }
    if (most_copies < 2 || instructions_with[most_copies] * 5 < all * 2) return false;
    // A single instruction found twice was moved, not unrolled.
    if (!anchored_ && most_copies == 2 && keys_with[2] < 2) return false;
    turns_ = *most;
    if (!whole_turns()) return false;
    for (const auto& [key, places] : guarded_)
      if (&counts[key] == most) open_ = places;
    return true;
  }

  UnrolledLoop walk() {
    find_ways_in();
    const BlockProfile& block = p_.blocks[of_.header];
    const BlockProfile& latch = p_.blocks[of_.latch];
    double stays = 0, turns = 0, exits = 0;
    for (const auto& [n, times] : block.trip_counts) {
      stays += double(times);
      turns += double(n) * double(times);
    }
    for (size_t k = 0; k < latch.successors.size() && k < latch.edge_warps.size(); ++k) {
      if (latch.successors[k] != of_.header) exits += double(latch.edge_warps[k]);
    }
    // Lanes of a warp that leave at different turns leave in groups.
    const uint64_t groups =
        stays > 0 ? std::clamp<uint64_t>(uint64_t(exits / stays + 0.5), 1, 32) : 1;
    if (groups == 2) late_share_ = std::clamp(1 - (turns / stays - mean_of_lanes()), 0.03, 0.97);
    size_t distinct = 0;
    for (const auto& [n, times] : block.trip_counts) {
      if (++distinct > kMostDistinctTurns) break;
      for (const auto& [from, share] : ways_in_) stay(from, n, groups, double(times) * share);
    }
    return result();
  }

 private:
  struct Goal {
    int part = -1;           // -1: out of the loop
    std::vector<int> edges;  // to get there
  };
  using Key = std::pair<int, int>;  // PTX instruction, SASS operation

  // How often each operation of every turn stands in each SASS block.
  std::map<Key, std::map<int, int>> count_instructions() {
    std::map<Key, std::map<int, int>> anchors, others;
    for (int block : of_.every_turn) {
      for (int p = p_.blocks[block].first; p < p_.blocks[block].last; ++p) {
        const InstructionProfile& ptx = p_.instructions[p];
        if (ptx.op != OpClass::kBranch && ptx.opcode.rfind("setp", 0) != 0)
          count_places(p, &anchors, &others);
      }
    }
    anchored_ = !anchors.empty();
    return anchored_ ? anchors : others;
  }

  void count_places(int p, std::map<Key, std::map<int, int>>* anchors,
                    std::map<Key, std::map<int, int>>* others) {
    const InstructionProfile& ptx = p_.instructions[p];
    for (int i : m_.sass[p]) {
      const int b = g_.block_of[i];
      if (m_.cold[b] || g_.functions[g_.blocks[b].function].internal) continue;
      const SassInstruction& in = g_.code[i];
      const Key key{p, in.opcode & 0x1FF};
      if (in.guarded && ptx.lanes_guard_on == ptx.lanes) guarded_[key].insert(b);
      if (in.kind != SassKind::kOther && same_operation(in.kind, ptx.op)) {
        (*anchors)[key][b]++;
      } else if (in.kind == SassKind::kOther) {
        (*others)[key][b]++;
      }
    }
  }

  // A turn of several blocks can be walked where it is straight in the SASS: the parts hold all of
  // its accesses, and it has no branch but the latch's.
  bool whole_turns() const {
    if (of_.header == of_.latch) return true;
    for (int block : of_.body) {
      for (int p = p_.blocks[block].first; p < p_.blocks[block].last; ++p) {
        if (p == p_.blocks[of_.latch].last - 1) continue;
        for (int i : m_.sass[p]) {
          const int b = g_.block_of[i];
          if (m_.cold[b] || !same_operation(g_.code[i].kind, p_.instructions[p].op)) continue;
          if (p_.instructions[p].op == OpClass::kBranch || !turns_.count(b)) return false;
        }
      }
    }
    return true;
  }

  // Blocks that stand for a PTX block beside the loop's are outside of the loop.
  bool inside(int b) const {
    if (b < 0 || m_.cold[b]) return false;
    if (turns_.count(b)) return true;
    const int stand = m_.stands_for[b];
    return stand < 0 || of_.contains(p_.instructions[stand].block);
  }

  void find_ways_in() {
    std::set<int> loop;
    std::vector<int> work;
    for (const auto& [b, n] : turns_) {
      loop.insert(b);
      work.push_back(b);
    }
    std::map<int, double> from;
    while (!work.empty()) {  // backwards from the parts
      const int b = work.back();
      work.pop_back();
      for (int e : g_.blocks[b].in) {
        const int before = g_.edges[e].from;
        if (g_.edges[e].cold || m_.cold[before]) continue;
        if (!inside(before)) {
          from[before] = 0;
        } else if (loop.insert(before).second) {
          work.push_back(before);
        }
      }
    }
    loop_ = loop;
    double total = 0;
    for (auto& [b, weight] : from) {
      const int stand = m_.stands_for[b];
      weight = stand >= 0 ? double(p_.instructions[stand].warps) : 0;
      total += weight;
    }
    for (const auto& [b, weight] : from) {
      if (total > 0 && weight > 0) ways_in_.emplace_back(b, weight / total);
    }
  }

  // All that can be reached from a block without doing turns in between. Of several ways the one
  // with the most tests: the short ones are for stays that do not happen (no turn at all).
  const std::vector<Goal>& goals(int b) {
    const auto known = goals_.find(b);
    if (known != goals_.end()) return known->second;
    std::map<int, std::vector<int>> best;  // by part
    std::map<int, std::vector<int>> way;   // block -> edges, in the order of addresses
    way[b] = {};
    for (auto next = way.begin(); next != way.end(); ++next) {
      const auto [at, edges_here] = *next;
      for (int e : g_.blocks[at].out) {
        const SassEdge& edge = g_.edges[e];
        if (edge.cold) continue;
        std::vector<int> edges = edges_here;
        edges.push_back(e);
        const bool part = edge.to >= 0 && turns_.count(edge.to);
        if (part || edge.to < 0 || !loop_.count(edge.to)) {
          const bool left_from_outside = !part && !loop_.count(at);
          std::vector<int>& way_there = best[part ? edge.to : -1];
          if (!left_from_outside && edges.size() > way_there.size()) way_there = edges;
        } else if (edge.to > at && edges.size() > way[edge.to].size()) {
          way[edge.to] = edges;
        }
      }
    }
    std::vector<Goal> found;
    for (auto& [part, edges] : best) {
      if (!edges.empty()) found.push_back({part, std::move(edges)});
    }
    return goals_[b] = std::move(found);
  }

  void follow(const Goal& goal, double times) {
    for (int e : goal.edges) visits_[e] += times;
  }

  // Turns under guards may be fewer than stand in the part, or none.
  bool fits(int part, uint64_t left) {
    return uint64_t(turns_[part]) <= left || (open_.count(part) && part_reached_ < part);
  }

  const Goal* choose(int b, uint64_t left) {
    const Goal* best = nullptr;
    part_reached_ = turns_.count(b) ? b : -1;
    for (const Goal& goal : goals(b)) {
      if (goal.part < 0) {
        if (left == 0) return &goal;
        continue;
      }
      if (!fits(goal.part, left)) continue;
      if (!best || turns_[goal.part] > turns_[best->part]) best = &goal;
    }
    return best;
  }

  // Lanes that came into the loop: those that did not go round again.
  double lanes_entered() const {
    const BlockProfile& latch = p_.blocks[of_.latch];
    const InstructionProfile& branch = p_.instructions[latch.last - 1];
    const uint64_t left = branch.lanes - branch.lanes_guard_on;
    return double(latch.successors[0] == of_.header ? left : branch.lanes_guard_on);
  }

  // Turns of a lane's stay.
  double mean_of_lanes() const {
    const double entered = lanes_entered();
    return entered > 0 ? double(p_.instructions[p_.blocks[of_.latch].last - 1].lanes) / entered : 1;
  }

  // A warp's stay of so many turns; its lanes leave in groups, each a turn before the next. The
  // groups go together where they go the same way.
  void stay(int from, uint64_t turns, uint64_t groups, double times) {
    const uint64_t count = std::min<uint64_t>(groups, std::max<uint64_t>(turns, 1));
    std::map<int, double> most;
    ways_out_.clear();
    for (uint64_t k = 0; k < count; ++k) {
      visits_.clear();
      one_group(from, turns - std::min(turns, k));
      for (const auto& [e, n] : visits_) {
        most[e] = std::max(most[e], n);
        const double share =
            count == 2 ? (k == 0 ? late_share_ : 1 - late_share_) : 1 / double(count);
        edges_[e].lanes += n * times * share;
      }
    }
    for (const auto& [e, n] : most) {
      const auto out = ways_out_.find(e);
      edges_[e].warps += times * (out == ways_out_.end() ? n : double(out->second.size()));
    }
  }

  void one_group(int from, uint64_t turns) {
    int at = from;
    uint64_t left = turns;
    for (int step = 0; step < kMostSteps; ++step) {
      const Goal* goal = choose(at, left);
      if (!goal) return;
      // Groups leave a part together only if they do so after the same turn.
      if (goal->part != at && turns_.count(at)) ways_out_[goal->edges[0]].insert(turns - left);
      if (goal->part < 0) return follow(*goal, 1);
      const uint64_t size = uint64_t(turns_[goal->part]);
      // Round and round the same part: all of these turns at once.
      const uint64_t rounds = goal->part == at ? left / size : 1;
      follow(*goal, double(rounds));
      left -= std::min(left, rounds * size);
      at = goal->part;
    }
  }

  // Scaled so that the turns add up to what was executed.
  UnrolledLoop result() {
    UnrolledLoop out;
    out.header = of_.header;
    for (int b : loop_) out.blocks[b] = {};
    for (const auto& [e, count] : edges_) {
      const int to = g_.edges[e].to;
      if (!loop_.count(to)) continue;
      out.blocks[to].warps += count.warps;
      out.blocks[to].lanes += count.lanes;
    }
    double warp_turns = 0, lane_turns = 0;
    for (const auto& [b, n] : turns_) {
      warp_turns += out.blocks[b].warps * n;
      lane_turns += out.blocks[b].lanes * n;
    }
    const InstructionProfile& turn = p_.instructions[p_.blocks[of_.header].first];
    // Groups that part take parts of their own, so the warps' turns may add up to more.
    double lanes = lane_turns > 0 ? double(turn.lanes) / lane_turns : 0;
    // Where turns stand under guards, they do not tell; the lanes that came do.
    if (double came = lanes_walked_in(); !open_.empty() && came > 0) lanes = lanes_entered() / came;
    const double warps = warp_turns > 0 && edges_lost() ? double(turn.warps) / warp_turns : 1;
    for (auto& [b, count] : out.blocks) count = {count.warps * warps, count.lanes * lanes};
    for (auto& [e, count] : edges_) out.edges[e] = {count.warps * warps, count.lanes * lanes};
    return out;
  }

  double lanes_walked_in() const {
    double sum = 0;
    for (const auto& [e, count] : edges_)
      if (!loop_.count(g_.edges[e].from)) sum += count.lanes;
    return sum;
  }

  // Not all stays were walked.
  bool edges_lost() const { return p_.blocks[of_.header].trip_counts.size() > kMostDistinctTurns; }

  const SassMap& m_;
  const SassGraph& g_;
  const KernelProfile& p_;
  const PtxLoop& of_;
  bool anchored_ = false;                 // the loop has memory operations or the like
  double late_share_ = 0.5;               // of two groups, the lanes of the one that stays longer
  std::map<int, int> turns_;              // SASS block -> turns of the loop
  std::map<Key, std::set<int>> guarded_;  // SASS blocks with copies of an operation under guards
  std::set<int> open_;                    // of the parts, those whose turns stand under guards
  int part_reached_ = -1;
  std::set<int> loop_;
  std::vector<std::pair<int, double>> ways_in_;
  std::map<int, std::vector<Goal>> goals_;
  std::map<int, double> visits_;                // by edge, of the group being walked
  std::map<int, std::set<uint64_t>> ways_out_;  // edges out of parts: after which turns
  std::map<int, UnrolledLoop::Count> edges_;
};

}  // namespace

std::vector<UnrolledLoop> walk_unrolled_loops(const SassMap& map, const KernelProfile& profile) {
  std::vector<UnrolledLoop> result;
  for (const PtxLoop& loop : innermost_loops(profile)) {
    Walker walker(map, profile, loop);
    if (walker.find_parts()) result.push_back(walker.walk());
  }
  return result;
}

}  // namespace lockstep::emulator
