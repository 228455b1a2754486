// SPDX-License-Identifier: Apache-2.0
// Begins, groups and ends of asynchronous copies.
#include "emulator/exec/async_copies.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "emulator/check/fault.h"
#include "emulator/check/memory_faults.h"
#include "emulator/exec/block_runner.h"
#include "emulator/exec/memory_handlers.h"

namespace lockstep::emulator {
namespace {

// Of a warp. A card may end a copy at any time: beyond so many the older half has ended.
constexpr size_t kMostPending = size_t{1} << 14;

struct Units {
  uint32_t first, last;
};
Units units_of(uint32_t offset, uint32_t bytes, int shift) {
  return {offset >> shift, (offset + bytes - 1) >> shift};
}

// What has been looked through counts as instructions to the step budget.
void pay(Warp& w, size_t copies) {
  if (copies >= 64) charge(w, copies / 64);
}

// Other host threads may write there meanwhile.
void take_bytes(const Allocation& a, uint64_t from, uint32_t taken, std::byte* to) {
  const std::byte* data = a.data + (from - a.begin);
  uint32_t i = 0;
  for (; i + 4 <= taken; i += 4) {
    const uint32_t word =
        __atomic_load_n(reinterpret_cast<const uint32_t*>(data + i), __ATOMIC_ACQUIRE);
    std::memcpy(to + i, &word, 4);
  }
  for (; i < taken; ++i)
    to[i] =
        std::byte{__atomic_load_n(reinterpret_cast<const uint8_t*>(data + i), __ATOMIC_ACQUIRE)};
}

// One of those to a unit to which some are under way.
const AsyncCopy& copy_to(Warp& w, uint32_t unit, const Warp** whose) {
  const int shift = w.block->shared.shift();
  for (const Warp& other : w.block->warps) {
    pay(w, other.copies.pending.size());
    for (const AsyncCopy& copy : other.copies.pending) {
      const Units units = units_of(copy.to, copy.bytes, shift);
      if (unit < units.first || unit > units.last) continue;
      *whose = &other;
      return copy;
    }
  }
  throw std::logic_error("a copy to shared memory that no warp has begun");
}

// Copies of one value to one place may be under way at once, as stores of it are no race.
void check_other_copies(Warp& w, const AsyncCopy& copy, uint32_t unit) {
  const int shift = w.block->shared.shift();
  const Warp* whose = nullptr;
  const AsyncCopy& other = copy_to(w, unit, &whose);
  const uint32_t first = std::max({unit << shift, copy.to, other.to});
  const uint32_t last =
      std::min({(unit + 1) << shift, copy.to + copy.bytes, other.to + other.bytes});
  if (std::memcmp(copy.data + (first - copy.to), other.data + (first - other.to), last - first))
    copy_fault(*copy.begun, w, copy.lane, unit, *whose, other, true);
}

// The store that the copy will be: no race with what was before.
void check_place(Warp& w, const AsyncCopy& copy) {
  SharedMemory& shared = w.block->shared;
  const int shift = shared.shift();
  const uint32_t tag = shared.tag(w.index) | copy.lane;
  const Units units = units_of(copy.to, copy.bytes, shift);
  for (uint32_t u = units.first; u <= units.last; ++u) {
    if (shared.any_copies() && shared.copies_to(u) != 0) check_other_copies(w, copy, u);
    const uint32_t first = std::max(u << shift, copy.to);
    const uint32_t size = std::min((u + 1) << shift, copy.to + copy.bytes) - first;
    const bool changes =
        std::memcmp(shared.data() + first, copy.data + (first - copy.to), size) != 0;
    const SharedConflict c = shared.check_store(u, tag, w.order, false, changes);
    if (c.found) shared_race_fault(*copy.begun, w, copy.lane, c, true);
  }
  shared.begin_copy(units.first, units.last);
}

void end_copy(Warp& w, const AsyncCopy& copy) {
  if (copy.taken != 0) {
    std::byte now[16] = {};
    take_bytes(*copy.array, copy.from, copy.taken, now);
    if (std::memcmp(now, copy.data, copy.taken) != 0) copy_source_fault(w, copy);
  }
  SharedMemory& shared = w.block->shared;
  std::memcpy(shared.data() + copy.to, copy.data, copy.bytes);
  const Units units = units_of(copy.to, copy.bytes, shared.shift());
  shared.end_copy(units.first, units.last);
  for (uint32_t u = units.first; u <= units.last; ++u)
    shared.note_store(u, shared.tag(w.index) | copy.lane, w.order, false);
}

// Those for which ends(copy) holds, in order.
template <class F>
void end_copies(Warp& w, F ends) {
  std::vector<AsyncCopy>& pending = w.copies.pending;
  pay(w, pending.size());
  size_t kept = 0;
  for (size_t i = 0; i < pending.size(); ++i) {
    if (ends(pending[i]))
      end_copy(w, pending[i]);
    else
      pending[kept++] = pending[i];
  }
  pending.resize(kept);
}

// Bytes that a lane takes from global memory.
uint32_t taken_by(const Instr& in, Warp& w, int lane) {
  if (in.o[kCopyIgnores] != kNoOperand) {
    const uint32_t flip = (in.wide & kCopyIgnoresNot) != 0 ? ~0u : 0;
    return ((predicate(w, in.o[kCopyIgnores]) ^ flip) >> lane & 1) != 0 ? 0 : in.count;
  }
  if (in.o[kCopyTaken] == kNoOperand) return in.count;
  const uint32_t taken = at<uint32_t>(w, in.o[kCopyTaken])[lane];
  if (taken > in.count)
    fault(w, in, lane, "out_of_bounds",
          "asks an asynchronous copy of " + std::to_string(in.count) + " bytes to take " +
              std::to_string(taken) + " of them; the size of the source must not be larger");
  return taken;
}

void find_places(const Instr& in, Warp& w, Lanes& l) {
  const auto more = static_cast<uint64_t>(int64_t{static_cast<int32_t>(in.o[kCopyToOffset])});
  for (int i = 0; i < 32; ++i) {
    l.address[i] = (in.wide & kCopyTo32) != 0
                       ? static_cast<uint32_t>(at<uint32_t>(w, in.o[kCopyTo])[i] + more)
                       : at<uint64_t>(w, in.o[kCopyTo])[i] + more;
    l.address[i] = shared_offset(l.address[i]);
  }
}

void check_source(const Instr& in, Warp& w, int lane, uint64_t from, uint32_t taken,
                  AsyncCopy* copy) {
  const Allocation* a = w.worker->launch->memory->owner(from);
  if (a == nullptr) no_array_fault(in, w, lane, from, taken, false);
  if (from < a->begin || taken > a->bytes() || from - a->begin > a->bytes() - taken)
    bounds_fault(in, w, lane, *a, from, taken, false);
  if (from % in.count != 0) alignment_fault(in, w, lane, *a, from, in.count, false);
  const uint64_t offset = from - a->begin;
  if (!a->defined->is_defined(offset, taken)) undefined_fault(in, w, lane, *a, offset, taken);
  copy->array = a;
  take_bytes(*a, from, taken, copy->data);
}

void copy(const Instr& in, Warp& w, uint32_t mask) {
  Lanes from, to;
  find_addresses(in, w, from);
  find_places(in, w, to);
  SharedMemory& shared = w.block->shared;
  std::vector<AsyncCopy>& pending = w.copies.pending;
  if (pending.size() > kMostPending)
    end_copies(w, [&](const AsyncCopy& c) { return &c < &pending[kMostPending / 2]; });
  for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    AsyncCopy one;
    one.begun = &in;
    one.from = from.address[lane];
    one.group = w.copies.groups[lane];
    one.lane = static_cast<uint8_t>(lane);
    one.bytes = in.count;
    one.taken = static_cast<uint8_t>(taken_by(in, w, lane));
    if (one.taken != 0) check_source(in, w, lane, one.from, one.taken, &one);
    const uint64_t offset = to.address[lane];
    if (offset + one.bytes > shared.bytes())
      shared_bounds_fault(in, w, lane, offset, one.bytes, true);
    if (offset % one.bytes != 0) shared_alignment_fault(in, w, lane, offset, one.bytes, true);
    one.to = static_cast<uint32_t>(offset);
    check_place(w, one);
    pending.push_back(one);
  }
}

void commit(const Instr&, Warp& w, uint32_t mask) {
  for (uint32_t rest = mask; rest != 0; rest &= rest - 1) ++w.copies.groups[std::countr_zero(rest)];
}

// All groups of a lane but the last in.imm that it committed.
void wait(const Instr& in, Warp& w, uint32_t mask) {
  if (in.imm < 0) commit(in, w, mask);
  const uint64_t left = in.imm < 0 ? 0 : static_cast<uint64_t>(in.imm);
  if (w.copies.pending.empty()) return;
  end_copies(w, [&](const AsyncCopy& c) {
    return (mask >> c.lane & 1) != 0 && uint64_t{c.group} + left < w.copies.groups[c.lane];
  });
}

}  // namespace

Handler find_async_copy() { return &copy; }
Handler find_commit_copies() { return &commit; }
Handler find_wait_for_copies() { return &wait; }

void check_no_copy(const Instr& in, Warp& w, int lane, uint64_t offset, uint32_t bytes,
                   bool store) {
  const SharedMemory& shared = w.block->shared;
  const Units units = units_of(static_cast<uint32_t>(offset), bytes, shared.shift());
  for (uint32_t u = units.first; u <= units.last; ++u) {
    if (shared.copies_to(u) == 0) continue;
    const Warp* whose = nullptr;
    const AsyncCopy& other = copy_to(w, u, &whose);
    copy_fault(in, w, lane, u, *whose, other, store);
  }
}

}  // namespace lockstep::emulator
