// SPDX-License-Identifier: Apache-2.0
// Of a block that stands for another PTX block the count is known; one block without can have the
// rest.

#include "emulator/sass_copies.h"

#include <algorithm>

#include "emulator/sass_loops.h"

namespace lockstep::emulator {
namespace {

constexpr double kTolerance = 1.05;

bool more(double here, uint64_t all) { return here > kTolerance * double(all) + 1; }
// Groups that lack lanes of a mask (apart) go a way of their own past the copies (BRA.DIV).
bool fewer(double here, uint64_t all, uint64_t apart) {
  return kTolerance * here + 1 < double(all - std::min(all, apart));
}

bool loads_or_stores(OpClass op) {
  return op == OpClass::kAsyncCopy ||
         (op >= OpClass::kGlobalLoad && op <= OpClass::kGenericStore &&
          op != OpClass::kGlobalAtomic && op != OpClass::kSharedAtomic);
}

// What ptxas leaves in place: who executes it in PTX does so in SASS.
bool stays(OpClass op) {
  return op == OpClass::kAsyncCopy ||
         (op >= OpClass::kGlobalLoad && op <= OpClass::kSharedAtomic) ||
         (op >= OpClass::kGenericLoad && op <= OpClass::kShuffle);
}

struct Sum {
  SassFlow::Count all;
  int copies = 0, depth = 0;  // depth: of the last in the nesting of loops
  bool guarded = false;
};

// What the copies of an operation came to; of one that was taken apart the first parts.
Sum sum_of(const SassMap& map, const SassFlow& flow, int p, OpClass op) {
  Sum sum;
  for (int i : map.sass[p]) {
    const int b = map.graph.block_of[i];
    if (map.cold[b] || map.continues[i] || !same_operation(map.graph.code[i].kind, op)) continue;
    ++sum.copies;
    sum.depth = map.graph.blocks[b].depth;
    sum.guarded |= map.graph.code[i].guarded;
    sum.all.warps += flow.blocks[b].warps;
    sum.all.lanes += flow.blocks[b].lanes;
  }
  return sum;
}

// Copies that stand in blocks of other PTX blocks (a loop's test before its first turn) are
// executed as these are; if one block is left, it has the rest.
void share_out(const SassMap& map, const KernelProfile& profile, const SassMap::Copies& group,
               SassFlow* flow) {
  const InstructionProfile& all = profile.instructions[profile.blocks[group.ptx_block].first];
  SassFlow::Count rest{double(all.warps), double(all.lanes)};
  int left = -1, unknown = 0, times = 1;
  for (const auto& [b, n] : group.blocks) {
    const int stand = map.stands_for[b];
    if (b == map.graph.functions[0].entry ||
        (stand >= 0 && profile.instructions[stand].block != group.ptx_block)) {
      rest.warps -= n * flow->blocks[b].warps;
      rest.lanes -= n * flow->blocks[b].lanes;
      continue;
    }
    flow->blocks[b] = {kUnknownCount, kUnknownCount};
    left = b;
    times = n;
    ++unknown;
  }
  if (unknown == 1 && rest.warps >= 0 && rest.lanes >= 0) {
    flow->blocks[left] = {rest.warps / times, rest.lanes / times};
  }
}

}  // namespace

void settle_copies(const SassMap& map, const KernelProfile& profile, SassFlow* flow) {
  for (const SassMap::Copies& group : map.copies) {
    const InstructionProfile& first = profile.instructions[profile.blocks[group.ptx_block].first];
    if (group.blocks.size() == 1) {
      const auto& [b, n] = group.blocks[0];
      flow->blocks[b] = {double(first.warps) / n, double(first.lanes) / n};
    } else {
      share_out(map, profile, group, flow);
    }
  }
  for (const UnrolledLoop& loop : walk_unrolled_loops(map, profile)) {
    for (const auto& [b, count] : loop.blocks) {
      flow->blocks[b] = {count.warps, count.lanes};
      for (int e : map.graph.blocks[b].out) flow->edges[e] = {0, 0};
    }
    for (const auto& [e, count] : loop.edges) flow->edges[e] = {count.warps, count.lanes};
  }
}

std::string copies_do_not_add_up(const SassMap& map, const KernelProfile& profile,
                                 const SassFlow& flow) {
  for (int p = 0; p < int(profile.instructions.size()); ++p) {
    const InstructionProfile& ptx = profile.instructions[p];
    const Sum sum = sum_of(map, flow, p, ptx.op);
    if (sum.copies == 0) continue;
    const bool many = loads_or_stores(ptx.op) && !sum.guarded && !map.parted[p];
    if (many && more(sum.all.warps, ptx.warps) && more(sum.all.lanes, ptx.lanes))
      return "how often each copy runs that ptxas made of a loop is not known (line " +
             std::to_string(ptx.ptx_line) + " of the PTX)";
    const bool taken_out = sum.copies == 1 && sum.depth < map.ptx_depth[ptx.block];
    if (!stays(ptx.op) || taken_out) continue;
    if (fewer(sum.all.warps, ptx.warps, ptx.apart.groups) &&
        fewer(sum.all.lanes, ptx.lanes, ptx.apart.lanes))
      return "its SASS accounts for a part only of the executions of line " +
             std::to_string(ptx.ptx_line) + " of the PTX";
  }
  return "";
}

}  // namespace lockstep::emulator
