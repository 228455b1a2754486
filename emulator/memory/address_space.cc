// SPDX-License-Identifier: Apache-2.0
// Rooms below the windows, from the top downwards, as the system maps memory.
#include "emulator/memory/address_space.h"

#include <sys/random.h>

#include <algorithm>
#include <cstdlib>

#include "common/base/error.h"

namespace lockstep::emulator {
namespace {

constexpr uint64_t kPage = 2 << 20;  // of a card: larger buffers begin at a multiple
constexpr uint64_t kSmall = 512;     // smaller ones at a multiple of this
constexpr uint64_t kLeastRoom = 32 * kPage;
constexpr uint64_t kMostBytes = uint64_t{8} << 30;
constexpr size_t kMostAllocations = 1 << 16;
constexpr uint64_t kLowestTop = 0x7f40'0000'0000, kHighestTop = 0x7fff'0000'0000;

uint64_t pages_of(uint64_t bytes) { return (bytes + kPage - 1) / kPage * kPage; }

// Below `bound`; from a secret, not from a seed: nothing that is counted or computed hangs on it.
uint64_t drawn_below(uint64_t bound) {
  uint64_t bits = 0;
  if (getrandom(&bits, sizeof bits, 0) != static_cast<ssize_t>(sizeof bits))
    throw Error("the system gives no random numbers", kExitCannotRun);
  return bits % bound;
}

// Of every second buffer about as large as on a card, where buffers lie side by side: else a kernel
// could tell by distances who executes it. The others are so large that an access far out of bounds
// is still this buffer's.
uint64_t drawn_room(uint64_t bytes) {
  if (drawn_below(2) == 0) return pages_of(bytes) + kPage * (2 + drawn_below(2));
  return std::max(kLeastRoom, 4 * pages_of(bytes));
}

// A part of the room before the buffer, and as much or more behind it.
uint64_t drawn_place(uint64_t bytes, uint64_t room) {
  const uint64_t pages = (room - pages_of(bytes)) / kPage;
  if (pages <= 3) return bytes >= kPage ? kPage : (1 + drawn_below(kPage / kSmall)) * kSmall;
  const uint64_t before = pages_of(room / 4) + drawn_below(room / 8 / kPage) * kPage;
  return bytes >= kPage ? before : before + drawn_below(kPage / kSmall) * kSmall;
}

}  // namespace

uint64_t first_window() {
  static const uint64_t first = kLowestTop + (drawn_below(kHighestTop - kLowestTop) & ~kWindowMask);
  return first;
}

AddressSpace::AddressSpace() : lowest_(first_window() - drawn_below(512) * kPage) {}

namespace {

std::unique_ptr<Allocation> make_allocation(const std::string& name, uint64_t bytes, bool defined) {
  if (bytes > kMostBytes)
    throw Error(name + ": " + std::to_string(bytes) +
                " bytes are more than the emulator gives; "
                "use a smaller input");
  auto fresh = std::make_unique<Allocation>();
  fresh->name = name;
  // Page-aligned and zeroed by the system only when touched.
  const size_t size = (bytes + 127) / 64 * 64;
  void* memory = std::calloc(size, 1);
  if (memory == nullptr) throw Error(name + ": no memory for " + std::to_string(bytes) + " bytes");
  fresh->storage = {static_cast<std::byte*>(memory), &std::free};
  fresh->data = fresh->storage.get();
  fresh->defined = std::make_unique<Definedness>(bytes);
  if (defined) fresh->defined->define(0, bytes);
  fresh->end = bytes;  // from 0, until it has a place
  return fresh;
}

}  // namespace

uint64_t AddressSpace::take_room(uint64_t bytes, const std::string& name) {
  if (rooms_.size() >= kMostAllocations) throw Error("too many device buffers");
  if (const auto old = free_.find(bytes); old != free_.end()) {
    const uint64_t first = old->second;
    free_.erase(old);
    return first;
  }
  if (bytes >= lowest_) throw Error(name + ": no device addresses are left");
  return lowest_ -= bytes;
}

Allocation* AddressSpace::put(uint64_t first, uint64_t room, uint64_t begin,
                              std::unique_ptr<Allocation> fresh) {
  fresh->end = begin + fresh->bytes();
  fresh->begin = begin;
  return rooms_.emplace(first, Room{room, std::move(fresh)}).first->second.allocation.get();
}

Allocation* AddressSpace::allocate(const std::string& name, uint64_t bytes, bool defined) {
  auto fresh = make_allocation(name, bytes, defined);
  const uint64_t room = drawn_room(bytes), first = take_room(room, name);
  return put(first, room, first + drawn_place(bytes, room), std::move(fresh));
}

std::vector<Allocation*> AddressSpace::allocate_variables(const std::vector<OfModule>& variables) {
  constexpr uint64_t kApart = 256;
  std::vector<uint64_t> places(variables.size());
  uint64_t end = 0;
  const auto place = [&](bool constants, const auto& multiple_of) {
    for (size_t i = 0; i < variables.size(); ++i) {
      if (variables[i].is_const != constants) continue;
      const uint64_t of = std::max<uint64_t>(multiple_of(variables[i]), 1);
      places[i] = (end + of - 1) / of * of;
      end = places[i] + std::max<uint64_t>(variables[i].bytes, 1);
    }
  };
  place(true, [](const OfModule& v) { return v.align; });
  place(false, [kApart](const OfModule& v) { return std::max(v.align, kApart); });
  if (variables.empty()) return {};
  const uint64_t all = pages_of(end) + 2 * kPage;
  const uint64_t first = take_room(all, variables[0].name);
  std::vector<Allocation*> made;
  for (size_t i = 0; i < variables.size(); ++i) {
    // Up to the next one; the last has what is left.
    uint64_t next = all - kPage;
    for (const uint64_t other : places)
      if (other > places[i]) next = std::min(next, other);
    const uint64_t begin = first + kPage + places[i];
    made.push_back(put(begin, first + kPage + next - begin, begin,
                       make_allocation(variables[i].name, variables[i].bytes, true)));
  }
  return made;
}

void AddressSpace::release(Allocation* allocation) {
  const auto room = std::prev(rooms_.upper_bound(allocation->begin));
  free_.emplace(room->second.bytes, room->first);
  rooms_.erase(room);
}

void AddressSpace::forget_changes() {
  each_allocation([](Allocation& a) { a.changed_before |= a.changed.exchange(false); });
}

void AddressSpace::define_changed() {
  each_allocation([](Allocation& a) {
    if (a.changed) a.defined->define(0, a.bytes());
  });
}

Allocation* AddressSpace::owner(uint64_t address) const {
  const auto next = rooms_.upper_bound(address);
  if (next == rooms_.begin()) return nullptr;
  const auto& [first, room] = *std::prev(next);
  return address - first < room.bytes ? room.allocation.get() : nullptr;
}

}  // namespace lockstep::emulator
