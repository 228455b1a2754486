// SPDX-License-Identifier: Apache-2.0
// Of each access to global memory: the units that its lanes reach, whether they race, and who they
// were. All lanes of an instruction are checked before any is remembered.
#include "emulator/exec/races.h"

#include "emulator/check/fault.h"
#include "emulator/check/memory_faults.h"
#include "emulator/exec/memory_access.h"
#include "emulator/exec/stale_loads.h"
#include "emulator/memory/global_races.h"

namespace lockstep::emulator {
namespace {

using Who = GlobalRaces::Who;

// The lanes that reach an array that kernels may write.
struct Reached {
  Lanes at;
  uint32_t lanes = 0;
  uint32_t bytes = 0;  // of a lane
  GlobalRaces::Units units[32];
};

template <class F>
void each_of(uint32_t lanes, F f) {
  for (uint32_t rest = lanes; rest != 0; rest &= rest - 1)
    f(static_cast<uint32_t>(std::countr_zero(rest)));
}

bool is_global(const Instr& in, const Warp& w) {
  const Space space = w.worker->program->accesses[in.aux].space;
  return space == Space::kGlobal || space == Space::kNone;
}

// Before it is executed, which may change the address.
void find_places(const Instr& in, Warp& w, Reached* r) {
  find_addresses(in, w, r->at);
  r->bytes = w.worker->program->accesses[in.aux].bytes * in.count;
}

// Whether all lanes lie in the array that the instruction has reached last, which is an input.
bool is_input(const Instr& in, const Warp& w, const Reached& r, uint32_t mask) {
  const Allocation* a = w.worker->last_allocation[in.aux];
  if (a == nullptr || !a->read_only || a->bytes() < r.bytes) return false;
  const uint64_t begin = a->begin, most = a->bytes() - r.bytes;
  uint32_t outside = 0;
  for (uint32_t i = 0; i < 32; ++i)
    outside |= static_cast<uint32_t>(r.at.address[i] - begin > most) & mask >> i & 1;
  return outside == 0;
}

void find_units(const Warp& w, uint32_t mask, Reached* r) {
  GlobalRaces& races = *w.worker->launch->races;
  each_of(mask, [&](uint32_t lane) {
    r->units[lane] = races.units_of(r->at.address[lane], r->bytes);
    r->lanes |= static_cast<uint32_t>(r->units[lane].count != 0) << lane;
  });
}

Who who_of(const Instr& in, const Warp& w) {
  return {static_cast<uint32_t>(w.block->linear), w.index, &w.block->shared, &w.order, in.number};
}

[[noreturn]] void report(const Instr& in, const Warp& w, uint32_t lane, uint32_t unit,
                         const GlobalConflict& conflict) {
  global_race_fault(in, w, static_cast<int>(lane), unit, conflict);
}

void load(const Instr& in, Warp& w, uint32_t mask) {
  Reached r;
  find_places(in, w, &r);
  GlobalRaces& races = *w.worker->launch->races;
  const bool by_l1 = (in.sub & kOrdering) == 0 && (in.wide & kAroundL1) == 0;
  if (races.stale() != nullptr && by_l1 && !is_input(in, w, r, mask)) {
    const StaleMemory stale(w, r.at.address, mask, r.bytes);
    in.run(in, w, mask);
  } else {
    in.run(in, w, mask);
  }
  if (is_input(in, w, r, mask)) return;
  find_units(w, mask, &r);
  if (r.lanes == 0) return;
  const Who who = who_of(in, w);
  races.step(who);
  if ((in.sub & kOrdering) != 0) {
    if ((in.wide & kOfItsBlock) != 0) return;
    if ((in.wide & kAcquires) != 0) races.end_stale(who.block);
    return each_of(r.lanes, [&](uint32_t lane) {
      if ((in.wide & kAcquires) != 0)
        races.acquire(who, r.units[lane].first);
      else
        races.see(who, r.units[lane].first);
    });
  }
  const auto each_unit = [&](const auto& f) {
    each_of(r.lanes, [&](uint32_t lane) {
      for (uint32_t i = 0; i < r.units[lane].count; ++i) f(lane, r.units[lane].first + i);
    });
  };
  const bool of_constants = (in.wide & kOfConstants) != 0;
  each_unit([&](uint32_t lane, uint32_t unit) {
    if (races.is_fresh(unit)) return;
    const auto found =
        of_constants ? races.check_load_of_constants(unit) : races.check_load(who, lane, unit);
    if (found) report(in, w, lane, unit, *found);
  });
  each_unit([&](uint32_t lane, uint32_t unit) { races.note_load(who, lane, unit); });
}

// --- Stores

// What a lane stores, as bytes.
void wanted_of(const Instr& in, Warp& w, uint32_t lane, uint32_t bytes, std::byte* to) {
  const uint32_t width = in.wide & kRegisterBytes;
  for (uint32_t k = 0; k < in.count; ++k) {
    const uint64_t bits = width == 8   ? at<uint64_t>(w, in.o[k])[lane]
                          : width == 4 ? at<uint32_t>(w, in.o[k])[lane]
                                       : at<uint16_t>(w, in.o[k])[lane];
    if (bytes == 4)  // by far the most: a move, no call
      std::memcpy(to + size_t{k} * 4, &bits, 4);
    else
      std::memcpy(to + size_t{k} * bytes, &bits, bytes);
  }
}

// A store as it was before it is executed.
struct Stored {
  uint32_t changes[32] = {};  // of a lane's units, those that it gives another value
  alignas(16) std::byte wanted[32][32];
};

// Bits of the units of which the lane's bytes are not there yet.
LOCKSTEP_INLINE uint32_t changed_units(const Reached& r, uint32_t lane, int shift,
                                       const std::byte* wanted) {
  const GlobalRaces::Units& units = r.units[lane];
  const Allocation& a = *units.of;
  const uint64_t offset = r.at.address[lane] - a.begin;
  const uint32_t unit =
      std::min(1u << shift, r.bytes);  // accesses are aligned: whole units, or one
  uint32_t changed = 0;
  for (uint32_t i = 0; i < units.count; ++i) {
    const uint32_t from = i << shift;
    const bool same = unit == 4 ? std::memcmp(a.data + offset + from, wanted + from, 4) == 0
                                : std::memcmp(a.data + offset + from, wanted + from, unit) == 0;
    if (!same || !a.defined->is_defined(offset + from, unit)) changed |= 1u << i;
  }
  return changed;
}

// Whether each lane's units come behind those of the lane before it.
bool are_apart(const Reached& r) {
  bool apart = true;
  uint32_t end = 0;
  each_of(r.lanes, [&](uint32_t lane) {
    apart &= r.units[lane].first >= end;
    end = r.units[lane].first + r.units[lane].count;
  });
  return apart;
}

// Lanes of one instruction that store different values to one place: one of them stays, which may
// be meant; but where the warp had read the place before (x += y), updates are lost.
void check_same_place(const Instr& in, Warp& w, const Who& who, const Reached& r, const Stored& s) {
  const GlobalRaces& races = *w.worker->launch->races;
  if (are_apart(r)) return;
  each_of(r.lanes, [&](uint32_t lane) {
    const Allocation& a = *r.units[lane].of;
    const std::byte* now = a.data + (r.at.address[lane] - a.begin);
    if (std::memcmp(now, s.wanted[lane], r.bytes) == 0) return;
    if (!races.was_read(who, r.units[lane].first)) return;
    each_of(r.lanes & ~(1u << lane), [&](uint32_t other) {
      if (r.at.address[other] < r.at.address[lane] + r.bytes &&
          r.at.address[lane] < r.at.address[other] + r.bytes)
        same_element_fault(in, w, static_cast<int>(lane), static_cast<int>(other),
                           r.units[lane].first);
    });
  });
}

void release(const Instr& in, const Warp& w, const Who& who, uint32_t unit, bool replaces) {
  GlobalRaces& races = *w.worker->launch->races;
  if ((in.wide & kOfItsBlock) == 0) races.release(who, unit, replaces);
}

void plain_store(const Instr& in, Warp& w, const Who& who, const Reached& r, const Stored& s) {
  GlobalRaces& races = *w.worker->launch->races;
  const auto each_unit = [&](const auto& f) {
    each_of(r.lanes, [&](uint32_t lane) {
      for (uint32_t i = 0; i < r.units[lane].count; ++i)
        f(lane, r.units[lane].first + i, (s.changes[lane] >> i & 1) != 0);
    });
  };
  check_same_place(in, w, who, r, s);
  each_unit([&](uint32_t lane, uint32_t unit, bool changes) {
    if (!changes || races.is_fresh(unit)) return;
    if (const auto found = races.check_store(who, lane, unit)) report(in, w, lane, unit, *found);
  });
  each_unit([&](uint32_t lane, uint32_t unit, bool changes) {
    races.note_store(who, lane, unit, changes);
  });
}

void ordering_store(const Instr& in, Warp& w, const Who& who, const Reached& r, const Stored& s) {
  GlobalRaces& races = *w.worker->launch->races;
  const bool narrow = (in.wide & kOfItsBlock) != 0;
  if ((in.wide & kReleases) != 0) races.fence(who);
  each_of(r.lanes, [&](uint32_t lane) {
    for (uint32_t i = 0; i < r.units[lane].count; ++i) {
      const uint32_t unit = r.units[lane].first + i;
      if ((s.changes[lane] >> i & 1) != 0)
        if (const auto found = races.check_atomic(who, lane, unit, narrow))
          report(in, w, lane, unit, *found);
      races.note_atomic(who, lane, unit, false, narrow);
    }
    release(in, w, who, r.units[lane].first, true);
  });
}

// Of neighbouring lanes that store whole words, as nearly all do: false, and nothing is done, where
// it is another store.
bool store_run(const Instr& in, Warp& w, uint32_t mask, Reached* r) {
  constexpr uint32_t kMostWords = 32 * 4;
  if (w.worker->program->global_shift != 2 || (in.sub & kOrdering) != 0 || r->bytes > 16)
    return false;
  find_shape(r->at, mask, r->bytes);
  if (!r->at.run) return false;
  GlobalRaces& races = *w.worker->launch->races;
  const uint64_t begin = r->at.address[r->at.first];
  const GlobalRaces::Units units =
      races.units_of(begin, static_cast<uint32_t>(r->at.active) * r->bytes);
  if (units.count == 0 || begin % 4 != 0) return false;
  const uint64_t offset = begin - units.of->begin;
  const std::byte* const data = units.of->data + offset;
  const Definedness& defined = *units.of->defined;
  const uint64_t was_defined[2] = {defined.defined_words(offset),
                                   units.count > 64 ? defined.defined_words(offset + 256) : 0};
  uint32_t before[kMostWords], now[kMostWords];
  std::memcpy(before, data, size_t{units.count} * 4);
  in.run(in, w, mask);
  std::memcpy(now, data, size_t{units.count} * 4);
  const auto changes = [&](uint32_t i) {
    return before[i] != now[i] || (was_defined[i >> 6] >> (i & 63) & 1) == 0;
  };
  bool all_change = true;
  for (uint32_t i = 0; i < units.count; ++i) all_change &= before[i] != now[i];
  const Who who = who_of(in, w);
  const auto lane = static_cast<uint32_t>(r->at.first);
  const int per_lane = std::countr_zero(r->bytes) - 2;
  races.step(who);
  if (races.stale() != nullptr) races.stale()->change(who.block, begin, units.count * 4);
  const bool fresh = races.are_fresh(units);
  if (fresh && all_change) {
    races.note_fresh_stores(who, lane, per_lane, units);
    return true;
  }
  for (uint32_t i = 0; i < units.count && !fresh; ++i) {
    const uint32_t own = lane + (i >> per_lane);
    if (!changes(i)) continue;
    if (const auto found = races.check_store(who, own, units.first + i))
      report(in, w, own, units.first + i, *found);
  }
  for (uint32_t i = 0; i < units.count; ++i)
    races.note_store(who, lane + (i >> per_lane), units.first + i, changes(i));
  return true;
}

void store(const Instr& in, Warp& w, uint32_t mask) {
  Reached r;
  Stored s;
  find_places(in, w, &r);
  if (store_run(in, w, mask, &r)) return;
  find_units(w, mask, &r);
  GlobalRaces& races = *w.worker->launch->races;
  const Program& program = *w.worker->program;
  each_of(r.lanes, [&](uint32_t lane) {
    wanted_of(in, w, lane, program.accesses[in.aux].bytes, s.wanted[lane]);
    s.changes[lane] = changed_units(r, lane, program.global_shift, s.wanted[lane]);
  });
  in.run(in, w, mask);
  if (r.lanes == 0) return;
  const Who who = who_of(in, w);
  races.step(who);
  note_own_change(w, r.at.address, r.lanes, r.bytes);
  if ((in.sub & kOrdering) != 0)
    ordering_store(in, w, who, r, s);
  else
    plain_store(in, w, who, r, s);
}

// --- Atomic operations and fences

void fence(const Instr& in, const Who& who, GlobalRaces& races) {
  if ((in.wide & kAcquires) != 0) races.take_seen(who);
  if ((in.wide & kAcquires) != 0 && (in.wide & kOfItsBlock) == 0) races.end_stale(who.block);
  if ((in.wide & kReleases) != 0) races.fence(who);
}

void atomic(const Instr& in, Warp& w, uint32_t mask) {
  Reached r;
  find_places(in, w, &r);
  find_units(w, mask, &r);
  in.run(in, w, mask);
  if (r.lanes == 0) return;
  GlobalRaces& races = *w.worker->launch->races;
  const Who who = who_of(in, w);
  races.step(who);
  const bool narrow = (in.wide & kOfItsBlock) != 0, has_result = in.o[0] != kNoOperand;
  if ((in.wide & kReleases) != 0) races.fence(who);
  if ((in.wide & kAcquires) != 0 && !narrow) races.end_stale(who.block);
  note_own_change(w, r.at.address, r.lanes, r.bytes);
  uint32_t last = ~0u, again = 0;
  each_of(r.lanes, [&](uint32_t lane) {
    // Of the lanes that want one place two stand for all.
    again = r.units[lane].first == last ? again + 1 : 0;
    last = r.units[lane].first;
    if (again >= 2) return;
    for (uint32_t i = 0; i < r.units[lane].count; ++i) {
      const uint32_t unit = r.units[lane].first + i;
      if (const auto found = races.check_atomic(who, lane, unit, narrow))
        report(in, w, lane, unit, *found);
      races.note_atomic(who, lane, unit, has_result, narrow);
    }
    if (has_result && !narrow) races.acquire(who, r.units[lane].first);
    release(in, w, who, r.units[lane].first, false);
  });
}

// What cannot be followed to its end is not known to be free of races. It took as long as all the
// steps that it was granted would have.
[[noreturn]] void cut(const Instr& in, const Warp& w, uint32_t mask) {
  LaunchState& launch = *w.worker->launch;
  const int lane = std::countr_zero(mask);
  launch.steps.store(launch.step_budget, std::memory_order_relaxed);
  launch_fault(w, in, lane, "too_slow",
               "too slow: the launch was cut after " + std::to_string(launch.races->accesses()) +
                   " accesses of its warps to memory that it writes, when thread " +
                   thread_name(w, static_cast<uint32_t>(lane)) +
                   " was here; does the loop here end, does what it waits for happen, and can the "
                   "kernel do with fewer accesses?");
}

}  // namespace

void run_followed(const Instr& in, Warp& w, uint32_t mask) {
  GlobalRaces& races = *w.worker->launch->races;
  const bool accesses =
      in.role == Role::kLoad || in.role == Role::kStore || in.role == Role::kAtomic;
  if (accesses ? !is_global(in, w) : in.role != Role::kFence) return in.run(in, w, mask);
  if (races.accesses() > races.most_accesses()) cut(in, w, mask);
  switch (in.role) {
    case Role::kLoad:
      return load(in, w, mask);
    case Role::kStore:
      return store(in, w, mask);
    case Role::kAtomic:
      return atomic(in, w, mask);
    default:
      break;
  }
  const Who who = who_of(in, w);
  races.step(who);
  fence(in, who, races);
}

}  // namespace lockstep::emulator
