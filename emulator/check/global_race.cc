// SPDX-License-Identifier: Apache-2.0
// Races through global memory, in words: both accesses, who did them, and what would order them.
#include "emulator/check/memory_faults.h"

namespace lockstep::emulator {
namespace {

using Kind = GlobalConflict::Kind;

enum class Between : uint8_t { kLanes, kWarps, kBlocks };

// "sums[2]", in elements of the access.
std::string element_of(const Instr& in, const Warp& w, uint32_t unit) {
  uint64_t offset = 0;
  const Allocation& a = w.worker->launch->races->array_of(unit, &offset);
  return a.name + "[" + std::to_string(offset / w.worker->program->accesses[in.aux].bytes) + "]";
}

std::string block_name(const Dim3& grid, uint64_t linear) {
  return "(" + std::to_string(linear % grid.x) + "," + std::to_string(linear / grid.x % grid.y) +
         "," + std::to_string(linear / grid.x / grid.y) + ")";
}

// "thread (0,0,0) of block (3,0,0)"; of the own block the thread alone.
std::string name_of(const Warp& w, const GlobalAccess& a, Between between) {
  const LaunchState& launch = *w.worker->launch;
  const std::string thread = "thread " + thread_name(w, launch.races->warp_in_block(a), a.lane());
  if (between != Between::kBlocks) return thread;
  return thread + " of block " + block_name(launch.grid, launch.races->block_of(a));
}

// What would order the two, or make that needless.
std::string cure_of(Between between, const GlobalConflict& c, bool update, bool reads) {
  if (c.kind == Kind::kAtomicOfABlock)
    return "use atomicAdd and its like, not those for the threads of one block";
  if (c.kind == Kind::kAtomic) return "use an atomic operation here, too";
  if (between != Between::kBlocks) {
    const std::string barrier = between == Between::kLanes ? "__syncwarp()" : "__syncthreads()";
    if (update) return "add by atomicAdd, or let one thread do so";
    if (c.kind == Kind::kWritten && !reads)
      return "one of the two values is lost, so let one thread write each element";
    return "put " + barrier + " between the two";
  }
  if (update) return "add by atomicAdd, or let each block write an element of its own";
  if (reads)
    return "blocks run in any order, so read it in the next launch, or only when an atomic "
           "operation, behind __threadfence() in the block that writes, has told that it is there";
  return c.kind == Kind::kRead
             ? "blocks run in any order, so write to another array, or in the next launch"
             : "let each block write elements of its own, or add by atomicAdd";
}

// "which thread (0,0,0) reads"
std::string other_does(const GlobalConflict& c, const std::string& other, bool reads) {
  if (c.kind == Kind::kRead) return "which " + other + " reads";
  if (c.kind != Kind::kWritten) return "which " + other + " changes by an atomic operation";
  if (c.updated) return "which " + other + " reads and changes";
  return reads ? "which " + other + " writes" : "to which " + other + " writes another value";
}

}  // namespace

void global_race_fault(const Instr& in, const Warp& w, int lane, uint32_t unit,
                       const GlobalConflict& c) {
  const GlobalRaces& races = *w.worker->launch->races;
  const Between between = races.block_of(c.other) != w.block->linear ? Between::kBlocks
                          : races.warp_in_block(c.other) != w.index  ? Between::kWarps
                                                                     : Between::kLanes;
  const bool reads = in.role == Role::kLoad, atomic = in.role == Role::kAtomic;
  const SourceLine here = source_line(*w.worker->program, in.number);
  const SourceLine there = source_line(*w.worker->program, c.other.instruction);
  // x += y in one line reads and writes; so does who has read before it wrote.
  const bool same_line = here.line != 0 && here.text() == there.text();
  const bool update = c.updated || (same_line && reads != (c.kind == Kind::kRead));
  const std::string place = there.text().empty() ? "" : " (" + there.text() + ")";
  if (c.kind == Kind::kOfConstants)
    fault(w, in, lane, "race",
          "reads " + element_of(in, w, unit) + ", which " + name_of(w, c.other, between) +
              " changes" + place +
              ", by a load that need not see what its own kernel writes (__ldg, or const "
              "__restrict__): read it by a plain one");
  fault(w, in, lane, "race",
        std::string(atomic  ? "changes "
                    : reads ? "reads "
                            : "writes ") +
            element_of(in, w, unit) + (atomic ? " by an atomic operation, " : ", ") +
            other_does(c, name_of(w, c.other, between), reads) + place +
            ", and nothing orders the two" + (between == Between::kBlocks ? " blocks: " : ": ") +
            cure_of(between, c, update, reads));
}

void same_element_fault(const Instr& in, const Warp& w, int lane, int other, uint32_t unit) {
  fault(w, in, lane, "race",
        "changes " + element_of(in, w, unit) + " at the same time as thread " +
            thread_name(w, static_cast<uint32_t>(other)) +
            ": both read it before, so one update is lost; add by atomicAdd, or let one thread "
            "write it");
}

}  // namespace lockstep::emulator
