// SPDX-License-Identifier: Apache-2.0
// From counters by block, edge and memory slot to counts by instruction.
#include "emulator/exec/make_profile.h"

#include <algorithm>

#include "emulator/exec/waits.h"

namespace lockstep::emulator {
namespace {

constexpr size_t kMostTripCounts = 4096;  // distinct ones a loop

void add_memory(InstructionProfile& p, const MemoryCounters& c) {
  p.requests += c.requests;
  p.shared_requests += c.shared_requests;
  p.sectors += c.sectors;
  p.local_sectors += c.local_sectors;
  p.wavefronts += c.wavefronts;
  p.wavefronts_ideal += c.wavefronts_ideal;
  p.merge_eligible += c.merge_eligible;
  p.bank_conflicts += c.bank_conflicts;
  p.slow_path += c.slow_path;
  p.slow_path_lanes += c.slow_path_lanes;
  p.returned_sectors += c.returned_sectors;
}

void add_trips(BlockProfile& b, const std::unordered_map<uint64_t, uint64_t>& trips) {
  for (const auto& [turns, times] : trips)
    if (b.trip_counts.size() < kMostTripCounts || b.trip_counts.contains(turns))
      b.trip_counts[turns] += times;
}

void add_worker(KernelProfile& out, const Program& program, const Worker& w,
                std::vector<uint64_t>& block_warps, std::vector<uint64_t>& block_lanes) {
  out.warps_launched += w.warps_launched;
  out.busiest_warp = std::max(out.busiest_warp, w.busiest_warp);
  out.divergent_branches += w.divergent_branches;
  out.partings += w.partings;
  out.recursive_partings += w.recursive_partings;
  out.barriers += w.barriers;
  for (size_t b = 0; b < program.blocks.size(); ++b) {
    const BlockInfo& info = program.blocks[b];
    BlockProfile& profile = out.blocks[b];
    block_warps[b] += w.block_warps[b];
    block_lanes[b] += w.block_lanes[b];
    const size_t edges = profile.edge_warps.size();
    for (size_t k = 0; k < edges; ++k)
      profile.edge_warps[k] += info.branches ? w.edges[info.first_edge + k] : w.block_warps[b];
    if (info.branches && edges == 1) profile.edge_warps[0] += w.edges[info.first_edge + 1];
    if (info.loop_header) add_trips(profile, w.trips[info.loop]);
  }
  for (size_t s = 0; s < w.memory.size(); ++s)
    add_memory(out.instructions[program.memory_slot_of[s]], w.memory[s]);
  for (const auto& [slot, calls] : w.slow_calls)
    for (const auto& [ways, n] : calls)
      out.instructions[program.memory_slot_of[slot]].slow_calls[ways] += n;
  for (const auto& [i, n] : w.meetings) {
    out.instructions[i].apart += n.apart;
    out.instructions[i].met += n.met;
    out.instructions[i].joined += n.joined;
  }
  for (size_t i = 0; i < out.instructions.size(); ++i) {
    out.instructions[i].warps_guard_on += w.guard_warps[i];
    out.instructions[i].lanes_guard_on += w.guard_lanes[i];
  }
}

}  // namespace

KernelProfile make_profile(const Program& program, const std::vector<Worker>& workers,
                           const std::vector<L1Traffic>& traffic) {
  KernelProfile out;
  out.kernel = program.kernel;
  out.files = program.files;
  out.instructions = program.instructions;
  out.blocks = program.block_profiles;
  std::vector<uint64_t> block_warps(program.blocks.size()), block_lanes(program.blocks.size());
  for (const Worker& w : workers) add_worker(out, program, w, block_warps, block_lanes);
  for (size_t i = 0; i < out.instructions.size(); ++i) {
    InstructionProfile& p = out.instructions[i];
    p.warps = block_warps[static_cast<size_t>(p.block)];
    p.lanes = block_lanes[static_cast<size_t>(p.block)];
    if (program.guarded[i] == 0) p.warps_guard_on = p.warps, p.lanes_guard_on = p.lanes;
    if (i < traffic.size()) {
      p.fills_bytes = traffic[i].fill_bytes;
      p.writes_bytes = traffic[i].write_bytes;
    }
  }
  out.waits = find_waits(program, workers, out);
  return out;
}

}  // namespace lockstep::emulator
