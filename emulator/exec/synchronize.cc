// SPDX-License-Identifier: Apache-2.0
// .sync operations: lanes of a warp meet by the masks that they name. As the PTX ISA has it, a lane
// goes on when all lanes of its mask that have not exited have come to an operation of the same
// qualifiers with the same mask, wherever each of them stands.
#include "emulator/exec/synchronize.h"

#include <algorithm>
#include <bit>

#include "emulator/check/fault.h"
#include "emulator/exec/apart.h"
#include "emulator/exec/groups.h"
#include "emulator/exec/handler.h"
#include "emulator/watch/watch.h"

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

// The mask that all lanes of `among` name; 0: they differ.
uint32_t common_mask(const uint32_t* named, uint32_t among) {
  const uint32_t first = named[std::countr_zero(among)];
  uint32_t different = 0;
  if (among == ~0u) {
    for (int i = 0; i < 32; ++i) different |= named[i] ^ first;
  } else {
    for (int i = 0; i < 32; ++i) different |= (among >> i & 1) != 0 ? named[i] ^ first : 0;
  }
  return different == 0 ? first : 0;
}

// Of .sync operations __syncwarp() alone (bar.warp.sync: no value and no result) orders accesses to
// memory; a shuffle or vote does not (CUDA C++ Programming Guide, "Warp Shuffle Functions").
bool orders_memory(const Instr& in) {
  return in.sub == 0 && in.o[0] == kNoOperand && in.o[5] == kNoOperand;
}

// Lanes that have met there by their masks are ordered.
void note_order(Warp& w, const uint32_t* named, uint32_t present) {
  if ((lanes_where([&](int i) { return (w.live & ~named[i]) != 0; }) & present) == 0)
    return w.order.all_meet();
  for (uint32_t rest = present; rest != 0;) {
    const uint32_t mask = named[std::countr_zero(rest)];
    const uint32_t same = rest & lanes_where([&](int i) { return named[i] == mask; });
    rest &= ~same;
    w.order.meet(same);
  }
}

// Which lane's value each lane gets: the operation itself is asked, with the lanes' numbers.
void find_sources(const Instr& in, Warp& w, uint32_t mask, WatchedExchange* watched) {
  if (!w.worker->program->instructions[in.number].opcode.starts_with("shfl")) return;
  alignas(64) uint32_t kept[32], lanes[32];
  uint32_t* result = at<uint32_t>(w, in.o[0]);
  std::copy(result, result + 32, kept);
  for (uint32_t i = 0; i < 32; ++i) lanes[i] = i;
  const Exchange* const exchange = w.exchange;
  Exchange numbers = *exchange;
  numbers.value = lanes;
  numbers.present = ~0u;
  w.exchange = &numbers;
  in.run(in, w, mask);
  w.exchange = exchange;
  watched->shuffles = true;
  for (uint32_t rest = mask; rest != 0; rest &= rest - 1)
    watched->source[std::countr_zero(rest)] = result[std::countr_zero(rest)];
  std::copy(kept, kept + 32, result);
}

// Completes the operation for the lanes of mask, in whose frame we are.
void run_exchange(const Instr& in, Warp& w, uint32_t mask, WatchedExchange* watched) {
  if (watched != nullptr) {
    find_sources(in, w, mask, watched);
    watch_sync(in, w, mask, *watched);
  }
  in.run(in, w, mask);
}

// Completes one operation for the lanes that wait at it in the groups `members`.
void complete(Warp& w, const std::vector<int>& members) {
  const Instr& in = *w.groups[static_cast<size_t>(members.front())].pc;
  std::byte* const frame = w.frame;
  Gathered all;
  const bool watches = w.worker->launch->values != nullptr;
  WatchedExchange watched;
  for (int i : members) {
    const Group& g = w.groups[static_cast<size_t>(i)];
    w.frame = g.frame;
    all.add(*g.pc, w, g.arrived);
    if (watches) watched.gather(*g.pc, w, g.frame, g.arrived);
  }
  for (int i : members) {
    Group& g = w.groups[static_cast<size_t>(i)];
    w.frame = g.frame;
    w.exchange = &all.exchange;
    run_exchange(*g.pc, w, g.arrived, watches ? &watched : nullptr);
    g.state = GroupState::kReady;
    g.arrived = 0;
    ++g.pc;
    ++w.ready;
  }
  w.exchange = nullptr;
  w.frame = frame;
  if (orders_memory(in)) note_order(w, all.exchange.named, all.exchange.present);
  meet_apart(w, members.front());
}

// Whether all lanes that the lanes of `mask` name are among them and name the same.
bool all_here(const Warp& w, const uint32_t* named, uint32_t mask) {
  for (uint32_t rest = mask; rest != 0;) {
    const uint32_t meant = named[std::countr_zero(rest)];
    const uint32_t same = rest & lanes_where([&](int i) { return named[i] == meant; });
    if ((meant & w.live & ~same) != 0) return false;
    rest &= ~same;
  }
  return true;
}

// Of the waiting lanes `among`, those for which all lanes that they name are among them, too.
uint32_t met_lanes(const WaitingLanes& x, uint32_t among) {
  uint32_t met = 0;
  for (uint32_t rest = among; rest != 0;) {
    const int lane = std::countr_zero(rest);
    const uint32_t together = x.together(lane) & rest;
    if ((x.needed(lane) & ~together) == 0) met |= together;
    rest &= ~together;
  }
  return met;
}

// Whether the lanes of `mask`, which all name `common` (0: do not), can go on without waiting for
// others. Faults where one of them names a mask without itself.
bool can_go_on(const Instr& in, const Warp& w, const uint32_t* named, uint32_t mask,
               uint32_t common) {
  if (common != 0 && (mask & ~common) == 0) [[likely]]
    return (common & w.live & ~mask) == 0;
  for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    if ((named[lane] >> lane & 1) == 0)
      fault(w, in, lane, "bad_mask",
            "calls a warp function with a mask that does not name the thread itself; compute the "
            "mask before the branch, with __ballot_sync or __activemask");
  }
  return all_here(w, named, mask);
}

}  // namespace

WaitingLanes::WaitingLanes(const Warp& w) : warp_(w) {
  for (const Group& g : w.groups) {
    if (g.state != GroupState::kWaitsSync) continue;
    const auto* masks = reinterpret_cast<const uint32_t*>(g.frame + g.pc->o[kNamed]);
    for (uint32_t rest = g.arrived; rest != 0; rest &= rest - 1) {
      const int lane = std::countr_zero(rest);
      at[lane] = g.pc;
      named[lane] = masks[lane];
    }
    lanes |= g.arrived;
  }
}

bool WaitingLanes::same_operation(int a, int b) const {
  if (at[a] == at[b]) return true;
  const std::vector<InstructionInfo>& all = warp_.worker->program->instructions;
  return at[a]->run == at[b]->run && all[at[a]->number].opcode == all[at[b]->number].opcode;
}

uint32_t WaitingLanes::together(int lane) const {
  uint32_t out = 0;
  for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const int other = std::countr_zero(rest);
    if (named[other] == named[lane] && same_operation(other, lane)) out |= 1u << other;
  }
  return out;
}

uint32_t WaitingLanes::needed(int lane) const { return named[lane] & warp_.live; }

bool sync_operation(const Instr& in, Warp& w, uint32_t mask) {
  Exchange x;
  read_exchange(in, w, x);
  const uint32_t common = common_mask(x.named, mask);
  if (can_go_on(in, w, x.named, mask, common)) [[likely]] {
    x.present = mask;
    w.exchange = &x;
    if (w.worker->launch->values != nullptr) [[unlikely]] {
      WatchedExchange watched;
      watched.gather(in, w, w.frame, mask);
      run_exchange(in, w, mask, &watched);
    } else {
      in.run(in, w, mask);
    }
    w.exchange = nullptr;
    if (!orders_memory(in)) return true;
    if (common != 0 && (w.live & ~common) == 0)
      w.order.all_meet();
    else
      note_order(w, x.named, mask);
    return true;
  }
  Group& g = w.groups[static_cast<size_t>(w.current)];
  suspend_group(w, GroupState::kWaitsSync);
  g.arrived = mask;
  meet_waiting(w);
  return false;
}

bool meet_waiting(Warp& w) {
  const WaitingLanes x(w);
  // A group waits until all of its lanes have met, and so do those who would meet with it.
  uint32_t ready = x.lanes;
  for (uint32_t before = 0; ready != before;) {
    before = ready;
    const uint32_t met = met_lanes(x, ready);
    ready = 0;
    for (const Group& g : w.groups)
      if (g.state == GroupState::kWaitsSync && (g.arrived & ~met) == 0) ready |= g.arrived;
  }
  if (ready == 0) return false;
  std::vector<int> members;
  for (size_t i = 0; i < w.groups.size(); ++i) {
    const Group& g = w.groups[i];
    if (g.state == GroupState::kWaitsSync && (g.arrived & ~ready) == 0 &&
        x.same_operation(std::countr_zero(g.arrived), std::countr_zero(ready)))
      members.push_back(static_cast<int>(i));
  }
  complete(w, members);
  return true;
}

bool part_waiting(Warp& w) {
  const WaitingLanes x(w);
  const uint32_t met = met_lanes(x, x.lanes);
  bool parted = false;
  for (int i = 0, count = static_cast<int>(w.groups.size()); i < count; ++i) {
    const Group& g = w.groups[static_cast<size_t>(i)];
    if (g.state != GroupState::kWaitsSync) continue;
    const uint32_t stay = g.arrived & ~met;
    if (met == 0 && g.mask != g.arrived) {  // a guard lets these pass by
      part_group(w, i, g.mask & ~g.arrived, g.pc + 1);
    } else if (stay != 0 && stay != g.arrived) {
      const int made = part_group(w, i, stay, g.pc);
      w.groups[static_cast<size_t>(i)].arrived &= met;
      w.groups[static_cast<size_t>(made)].state = GroupState::kWaitsSync;
      w.groups[static_cast<size_t>(made)].arrived = stay;
      --w.ready;
    } else {
      continue;
    }
    parted = true;
  }
  if (met != 0) meet_waiting(w);
  return parted || met != 0;
}

}  // namespace lockstep::emulator
