// SPDX-License-Identifier: Apache-2.0
// .sync operations: lanes of a warp meet by the masks that they name.
#include "emulator/exec/synchronize.h"

#include <algorithm>
#include <bit>

#include "emulator/check/fault.h"
#include "emulator/exec/groups.h"

namespace lockstep::emulator {
namespace {

constexpr int kValue = 1, kNamed = 4;  // operands

// The values of one group, straight from its registers.
void read_exchange(const Instr& in, Warp& w, Exchange& x) {
  x.named = at<uint32_t>(w, in.o[kNamed]);
  if (in.sub == 1) x.bits = predicate(w, in.o[kValue]);
  if (in.sub == 4) x.value = at<uint32_t>(w, in.o[kValue]);
  if (in.sub == 8) x.value64 = at<uint64_t>(w, in.o[kValue]);
}

// Values of several groups, gathered lane by lane.
struct Gathered {
  alignas(64) uint32_t value[32] = {};
  alignas(64) uint64_t value64[32] = {};
  alignas(64) uint32_t named[32] = {};
  Exchange exchange;

  void add(const Instr& in, Warp& w, uint32_t mask) {
    Exchange part;
    read_exchange(in, w, part);
    for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
      const int lane = std::countr_zero(rest);
      named[lane] = part.named[lane];
      if (in.sub == 4) value[lane] = part.value[lane];
      if (in.sub == 8) value64[lane] = part.value64[lane];
    }
    exchange.bits |= part.bits & mask;
    exchange.present |= mask;
    exchange.named = named;
    if (in.sub == 4) exchange.value = value;
    if (in.sub == 8) exchange.value64 = value64;
  }
};

void complete(Warp& w, const std::vector<int>& members) {
  Gathered all;
  for (int i : members) {
    const Group& g = w.groups[static_cast<size_t>(i)];
    w.frame = g.frame;
    all.add(*g.pc, w, g.arrived);
  }
  for (int i : members) {
    Group& g = w.groups[static_cast<size_t>(i)];
    w.frame = g.frame;
    w.exchange = &all.exchange;
    g.pc->run(*g.pc, w, g.arrived);
    g.state = GroupState::kReady;
    g.arrived = 0;
    ++g.pc;
    ++w.ready;
  }
  w.exchange = nullptr;
  ++w.sync_clock;
}

}  // namespace

bool sync_operation(const Instr& in, Warp& w, uint32_t mask) {
  Exchange x;
  read_exchange(in, w, x);
  uint32_t need = 0;
  for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    need |= x.named[lane];
    if ((x.named[lane] >> lane & 1) == 0)
      fault(w, in, lane, "bad_mask",
            "calls a warp function with a mask that does not name the thread itself; compute the "
            "mask before the branch, with __ballot_sync or __activemask");
  }
  need &= w.live;
  if ((need & ~mask) == 0) [[likely]] {
    x.present = mask;
    w.exchange = &x;
    in.run(in, w, mask);
    w.exchange = nullptr;
    ++w.sync_clock;
    return true;
  }
  Group& g = w.groups[static_cast<size_t>(w.current)];
  suspend_group(w, GroupState::kWaitsSync);
  g.named = need;
  g.arrived = mask;
  meet_waiting(w);
  return false;
}

bool meet_waiting(Warp& w) {
  std::vector<int> waiting;
  for (size_t i = 0; i < w.groups.size(); ++i)
    if (w.groups[i].state == GroupState::kWaitsSync) waiting.push_back(static_cast<int>(i));
  while (!waiting.empty()) {
    // Those at the same kind of operation as the first.
    const Handler kind = w.groups[static_cast<size_t>(waiting[0])].pc->run;
    std::vector<int> members, others;
    for (int i : waiting)
      (w.groups[static_cast<size_t>(i)].pc->run == kind ? members : others).push_back(i);
    for (bool changed = true; changed;) {
      uint32_t all = 0;
      for (int i : members) all |= w.groups[static_cast<size_t>(i)].arrived;
      const size_t before = members.size();
      std::erase_if(members, [&](int i) {
        return (w.groups[static_cast<size_t>(i)].named & w.live & ~all) != 0;
      });
      changed = members.size() != before;
    }
    if (!members.empty()) {
      complete(w, members);
      return true;
    }
    waiting = others;
  }
  return false;
}

namespace {

std::string line_of(const Warp& w, const Group& g) {
  const std::string text = source_line(*w.worker->program, g.pc->profile).text();
  return text.empty() ? "another place" : text;
}

const char* what_is(const Warp& w, const Group& g) {
  const std::string& opcode = w.worker->program->instructions[g.pc->profile].opcode;
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

[[noreturn]] void mask_fault(Warp& w, const Group& g) {
  const uint32_t missing = g.named & w.live & ~g.mask;
  const int lane = std::countr_zero(g.mask);
  const int absent = missing != 0 ? std::countr_zero(missing) : lane;
  std::string where = "never comes there";
  bool barrier = false;
  for (const Group& other : w.groups) {
    if (&other == &g || other.state == GroupState::kFree || (other.mask >> absent & 1) == 0)
      continue;
    if (other.state == GroupState::kWaitsSync)
      where = std::string("is in ") + what_is(w, other) + " at " + line_of(w, other);
    if (other.state == GroupState::kWaitsBarrier)
      where = "waits at the barrier at " + line_of(w, other), barrier = true;
  }
  fault(w, *g.pc, lane, barrier ? "deadlock" : "bad_mask",
        std::string("waits in ") + what_is(w, g) + " for thread " +
            thread_name(w, static_cast<uint32_t>(absent)) + ", which its mask names but which " +
            where + "; all threads that a mask names must call the same function with that mask");
}

}  // namespace

void resolve_stuck_warp(Warp& w) {
  if (meet_waiting(w)) return;
  const Group *barrier = nullptr, *other_barrier = nullptr, *sync = nullptr;
  bool joins = false;
  for (const Group& g : w.groups) {
    if (g.state == GroupState::kWaitsBarrier) (barrier == nullptr ? barrier : other_barrier) = &g;
    if (g.state == GroupState::kWaitsSync && sync == nullptr) sync = &g;
    joins |= g.state == GroupState::kWaitsJoin && g.arrived != 0;
  }
  if (barrier != nullptr && sync == nullptr && joins) barrier_divergence(w, *barrier);
  if (release_waiting(w)) return;
  if (sync != nullptr) mask_fault(w, *sync);
  if (other_barrier != nullptr)
    fault(w, *barrier->pc, std::countr_zero(barrier->mask), "divergent_barrier",
          "waits at a barrier while thread " +
              thread_name(w, static_cast<uint32_t>(std::countr_zero(other_barrier->mask))) +
              " of its warp waits at another one, at " + line_of(w, *other_barrier) +
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
                 " waits at the barrier at " + line_of(w, g);
      }
    }
  }
  if (first == nullptr) throw Error("emulator: a block cannot go on; please report this kernel");
  fault(*first, *at_first->pc, std::countr_zero(at_first->mask), "deadlock",
        "waits at a barrier for threads that never come" + others +
            "; every barrier needs all of the threads that it counts");
}

}  // namespace lockstep::emulator
