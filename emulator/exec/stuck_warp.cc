// SPDX-License-Identifier: Apache-2.0
// What is wrong where lanes or warps wait for each other and none can go on.
#include <bit>
#include <cstdio>

#include "emulator/check/fault.h"
#include "emulator/exec/groups.h"
#include "emulator/exec/synchronize.h"

namespace lockstep::emulator {
namespace {

std::string line_of(const Warp& w, const Instr& in) {
  const std::string text = source_line(*w.worker->program, in.number).text();
  return text.empty() ? "another place" : text;
}

const char* what_is(const Warp& w, const Instr& in) {
  const std::string& opcode = w.worker->program->instructions[in.number].opcode;
  if (opcode.starts_with("shfl")) return "a shuffle";
  if (opcode.starts_with("vote")) return "a vote";
  if (opcode.starts_with("match")) return "a match";
  if (opcode.starts_with("redux")) return "a warp reduction";
  return "__syncwarp";
}

[[noreturn]] void barrier_divergence(Warp& w, const Group& g) {
  const int there = std::popcount(g.mask);
  fault(w, *g.pc, std::countr_zero(g.mask), "divergent_barrier",
        "waits at a barrier (__syncthreads) that only " + std::to_string(there) + " of the " +
            std::to_string(std::popcount(w.live)) +
            " threads of its warp have reached; move the barrier out of the branch so that all "
            "threads of the block pass it");
}

std::string hexadecimal(uint32_t mask) {
  char text[16];
  std::snprintf(text, sizeof text, "0x%08x", mask);
  return text;
}

// Where a lane is that another waits for in a .sync operation.
std::string where_is(const Warp& w, const WaitingLanes& x, int absent, int waits, bool* barrier) {
  for (const Group& g : w.groups) {
    if ((g.mask >> absent & 1) == 0) continue;
    if (g.state == GroupState::kWaitsBarrier) {
      *barrier = true;
      return "waits at the barrier at " + line_of(w, *g.pc);
    }
    if (g.state != GroupState::kWaitsSync || (g.arrived >> absent & 1) == 0) continue;
    if (!x.same_operation(absent, waits))
      return std::string("is in ") + what_is(w, *g.pc) + " at " + line_of(w, *g.pc);
    return "calls it with mask " + hexadecimal(x.named[absent]) + " instead of " +
           hexadecimal(x.named[waits]) + " at " + line_of(w, *g.pc);
  }
  return "never comes there";
}

// The first group of which a lane waits in vain.
[[noreturn]] void mask_fault(Warp& w) {
  const WaitingLanes x(w);
  for (const Group& g : w.groups) {
    if (g.state != GroupState::kWaitsSync) continue;
    for (uint32_t rest = g.arrived; rest != 0; rest &= rest - 1) {
      const int lane = std::countr_zero(rest);
      const uint32_t missing = x.needed(lane) & ~x.together(lane);
      if (missing == 0) continue;
      const int absent = std::countr_zero(missing);
      bool barrier = false;
      const std::string where = where_is(w, x, absent, lane, &barrier);
      fault(w, *g.pc, lane, barrier ? "deadlock" : "bad_mask",
            std::string("waits in ") + what_is(w, *g.pc) + " for thread " +
                thread_name(w, static_cast<uint32_t>(absent)) +
                ", which its mask names but which " + where +
                "; all threads that a mask names must call the same function with that mask");
    }
  }
  throw Error("emulator: a warp cannot go on; please report this kernel");
}

}  // namespace

void resolve_stuck_warp(Warp& w) {
  if (meet_waiting(w)) return;
  const Group *barrier = nullptr, *other_barrier = nullptr;
  bool joins = false, sync = false;
  for (const Group& g : w.groups) {
    if (g.state == GroupState::kWaitsBarrier) (barrier == nullptr ? barrier : other_barrier) = &g;
    sync |= g.state == GroupState::kWaitsSync;
    joins |= g.state == GroupState::kWaitsJoin && g.arrived != 0;
  }
  if (barrier != nullptr && !sync && joins) barrier_divergence(w, *barrier);
  if (part_waiting(w) || release_waiting(w)) return;
  if (sync) mask_fault(w);
  if (other_barrier != nullptr)
    fault(w, *barrier->pc, std::countr_zero(barrier->mask), "divergent_barrier",
          "waits at a barrier while thread " +
              thread_name(w, static_cast<uint32_t>(std::countr_zero(other_barrier->mask))) +
              " of its warp waits at another one, at " + line_of(w, *other_barrier->pc) +
              "; all threads of a warp must reach the same __syncthreads");
  if (barrier != nullptr) barrier_divergence(w, *barrier);
  throw Error("emulator: a warp cannot go on; please report this kernel");
}

void deadlock_fault(Block& block) {
  Warp* first = nullptr;
  const Group* at_first = nullptr;
  std::string others;
  for (Warp& w : block.warps) {
    if ((block.live >> w.index & 1) == 0) continue;
    for (const Group& g : w.groups) {
      if (g.state != GroupState::kWaitsBarrier) continue;
      if (first == nullptr) {
        first = &w, at_first = &g;
      } else if (g.pc != at_first->pc && others.empty()) {
        others = " while thread " +
                 thread_name(w, static_cast<uint32_t>(std::countr_zero(g.mask))) +
                 " waits at the barrier at " + line_of(w, *g.pc);
      }
    }
  }
  if (first == nullptr) throw Error("emulator: a block cannot go on; please report this kernel");
  fault(*first, *at_first->pc, std::countr_zero(at_first->mask), "deadlock",
        "waits at a barrier for threads that never come" + others +
            "; every barrier needs all of the threads that it counts");
}

}  // namespace lockstep::emulator
