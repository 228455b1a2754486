// SPDX-License-Identifier: Apache-2.0
// A BSSY's region is what can be reached from it before its BSYNC.
#include "emulator/code/sync_hints.h"

#include <algorithm>
#include <vector>

#include "emulator/sass_code.h"

namespace lockstep::emulator {
namespace {

constexpr uint16_t kClearBarrier = 0x155;  // BMOV.CLEAR, to a register
constexpr size_t kMostRegions = 4096;
constexpr size_t kMostKernelRegions = 1024;

class Finder {
 public:
  Finder(SassGraph graph, const std::vector<uint32_t>& lines)
      : g_(std::move(graph)), lines_(lines) {}

  bool calls_functions() const {
    return std::any_of(g_.functions.begin() + 1, g_.functions.end(),
                       [](const SassFunction& f) { return !f.internal; });
  }

  // The regions of the kernel that are the innermost of a branch.
  void find_branches(std::vector<SyncedBranch>* branches, std::vector<SyncRegion>* regions) {
    std::vector<int> sets = kernel_sets();
    std::vector<int> innermost(g_.blocks.size(), -1);  // by block: an index into sets
    std::vector<size_t> size(g_.blocks.size());
    for (int k = 0; k < int(sets.size()); ++k) {
      const std::vector<int> region = region_of(sets[k]);
      for (int b : region) {
        if (innermost[b] >= 0 && size[b] <= region.size()) continue;
        innermost[b] = k;
        size[b] = region.size();
      }
    }
    std::vector<int> number(sets.size(), -1);
    for (int b = 0; b < int(g_.blocks.size()); ++b) {
      if (innermost[b] < 0 || g_.blocks[b].function != 0) continue;
      const SassKind kind = g_.code[g_.blocks[b].last - 1].kind;
      if ((kind != SassKind::kBranch && kind != SassKind::kBranchIndirect) || branch_line(b) == 0)
        continue;
      int& known = number[innermost[b]];
      if (known < 0) {
        known = int(regions->size());
        regions->push_back(describe(sets[innermost[b]]));
      }
      branches->push_back(
          {uint32_t(branch_line(b)), kind == SassKind::kBranchIndirect, size_t(known)});
    }
  }

  using Lines = std::unordered_set<int>;

  void run(Lines* parting, Lines* doubtful, Lines* meeting) {
    find_clearing();
    covered_.assign(g_.blocks.size(), false);
    broken_.assign(g_.blocks.size(), false);
    size_t regions = 0;
    for (int i = 0; i < int(g_.code.size()); ++i) {
      if (g_.code[i].kind == SassKind::kSetSync && g_.code[i].target >= 0 &&
          ++regions <= kMostRegions)
        add_region(i);
    }
    Lines held;
    for (int b = 0; b < int(g_.blocks.size()); ++b) {
      const int line = branch_line(b);
      if (line <= 0) continue;
      const bool apart = g_.blocks[b].function != 0 && regions <= kMostRegions;
      (covered_[b] ? held : broken_[b] ? *doubtful : apart ? *parting : held).insert(line);
    }
    std::erase_if(*parting, [&](int l) { return held.contains(l) || doubtful->contains(l); });
    std::erase_if(*doubtful, [&](int l) { return held.contains(l); });
    for (int b = 0; b < int(g_.blocks.size()); ++b) {
      const int line = int(lines_[g_.blocks[b].last - 1]);
      if (line > 0 && meets_after(b)) meeting->insert(line);
    }
  }

 private:
  std::vector<int> kernel_sets() const {
    std::vector<int> sets;
    for (int i = 0; i < int(g_.code.size()); ++i)
      if (g_.code[i].kind == SassKind::kSetSync && g_.code[i].target >= 0 &&
          g_.blocks[g_.block_of[i]].function == 0)
        sets.push_back(i);
    if (sets.size() > kMostKernelRegions) sets.clear();
    return sets;
  }

  // The blocks from a BSSY on, but for what follows its BSYNC.
  std::vector<int> region_of(int set) const {
    const int end = g_.block_of[g_.code[set].target];
    std::vector<int> region{g_.block_of[set]};
    std::vector<bool> seen(g_.blocks.size());
    seen[region[0]] = seen[end] = true;
    for (size_t k = 0; k < region.size(); ++k) {
      for (int e : g_.blocks[region[k]].out) {
        const int to = g_.edges[e].to;
        if (to < 0 || seen[to]) continue;
        seen[to] = true;
        region.push_back(to);
      }
    }
    return region;
  }

  SyncRegion describe(int set) const {
    SyncRegion out;
    for (int b : region_of(set)) {
      for (int i = g_.blocks[b].first; i < g_.blocks[b].last; ++i)
        if (is_access(g_.code[i].kind) && lines_[i] > 0 && i > set) out.inside.push_back(lines_[i]);
    }
    const SassBlock& after = g_.blocks[g_.block_of[g_.code[set].target]];
    for (int i = after.first; i < after.last; ++i)
      if (!is_control(g_.code[i].kind) && lines_[i] > 0) out.after.push_back(lines_[i]);
    const SassInstruction& first = g_.code[after.first];
    out.before_end = first.kind == SassKind::kExit && !first.guarded;
    return out;
  }

  static bool is_access(SassKind kind) {
    return kind >= SassKind::kGlobalLoad && kind <= SassKind::kGenericAtomic;
  }

  static bool is_control(SassKind kind) {
    return kind >= SassKind::kNop && kind <= SassKind::kWarpSync;
  }

  bool calls_function(int b) const {
    const int f = g_.blocks[b].call;
    return f >= 0 && !g_.functions[f].internal;
  }

  void find_clearing() {
    clears_.assign(g_.functions.size(), false);
    for (size_t f = 0; f < g_.functions.size(); ++f) {
      for (int i = g_.functions[f].first; i < g_.functions[f].last; ++i)
        if ((g_.code[i].opcode & 0x1ff) == kClearBarrier) clears_[f] = true;
    }
  }

  void add_region(int set) {
    const std::vector<int> region = region_of(set);
    const bool broken = std::any_of(region.begin(), region.end(), [this](int b) {
      return calls_function(b) && clears_[g_.blocks[b].call];
    });
    for (int b : region) (broken ? broken_ : covered_)[b] = true;
  }

  // Of a branch that lanes may part at; 0: none.
  int branch_line(int b) const {
    const SassInstruction& last = g_.code[g_.blocks[b].last - 1];
    const bool branch =
        (last.kind == SassKind::kBranch && last.guarded) || last.kind == SassKind::kBranchIndirect;
    if (!branch || g_.functions[g_.blocks[b].function].internal) return 0;
    return int(lines_[g_.blocks[b].last - 1]);
  }

  // BSSY, straight on to the call, and straight on to the BSYNC.
  bool meets_after(int b) const {
    if (!calls_function(b) || clears_[g_.blocks[b].call]) return false;
    int target = -1;
    for (int i = g_.blocks[b].first; i < g_.blocks[b].last; ++i)
      if (g_.code[i].kind == SassKind::kSetSync) target = int(g_.code[i].target);
    if (target < 0 || b + 1 >= int(g_.blocks.size())) return false;
    const SassBlock& next = g_.blocks[b + 1];
    return g_.code[next.last - 1].kind == SassKind::kSync && next.last == target;
  }

  const SassGraph g_;
  const std::vector<uint32_t>& lines_;
  std::vector<bool> clears_;            // by function
  std::vector<bool> covered_, broken_;  // by block: within a region that holds, that does not
};

}  // namespace

SyncHints::SyncHints(const Cubin& cubin, const std::string& kernel, const PtxFunctions& functions) {
  SassCode code;
  if (!gather_sass(cubin, kernel, functions, &code).empty()) return;
  Finder finder(build_sass_graph(std::move(code.code), code.starts, code.indirect), code.lines);
  finder.find_branches(&branches_, &regions_);
  if (finder.calls_functions()) finder.run(&parting_, &doubtful_, &meeting_);
}

}  // namespace lockstep::emulator
