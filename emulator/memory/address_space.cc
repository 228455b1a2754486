// SPDX-License-Identifier: Apache-2.0
// Slots of the address space.
#include "emulator/memory/address_space.h"

#include <cstdlib>

#include "common/error.h"

namespace lockstep::emulator {

AddressSpace::AddressSpace() : slots_(kFirstSlot) {}

Allocation* AddressSpace::allocate(const std::string& name, uint64_t bytes, bool defined) {
  if (bytes > kSlotBytes / 4)
    throw Error(name + ": " + std::to_string(bytes) +
                " bytes are more than the emulator gives; "
                "use a smaller input");
  auto fresh = std::make_unique<Allocation>();
  fresh->name = name;
  // Page-aligned and zeroed by the system only when touched.
  const size_t room = (bytes + 127) / 64 * 64;
  void* memory = std::calloc(room, 1);
  if (memory == nullptr) throw Error(name + ": no memory for " + std::to_string(bytes) + " bytes");
  fresh->storage = {static_cast<std::byte*>(memory), &std::free};
  fresh->data = fresh->storage.get();
  fresh->defined = std::make_unique<Definedness>(bytes);
  if (defined) fresh->defined->define(0, bytes);
  uint32_t slot;
  if (!free_.empty()) {
    slot = free_.back();
    free_.pop_back();
  } else {
    if (slots_.size() >= kMostSlots) throw Error("too many device buffers");
    slot = static_cast<uint32_t>(slots_.size());
    slots_.emplace_back();
  }
  // Low bits as cudaMalloc would give them: buffers follow each other, 512-byte aligned.
  const uint64_t low = placed_ % (kSlotBytes / 4);
  placed_ += (bytes + 511) / 512 * 512;
  fresh->begin = slot * kSlotBytes + kSlotBytes / 4 + low;
  fresh->end = fresh->begin + bytes;
  slots_[slot] = std::move(fresh);
  return slots_[slot].get();
}

void AddressSpace::release(Allocation* allocation) {
  const auto slot = static_cast<uint32_t>(allocation->begin >> kSlotBits);
  slots_[slot].reset();
  free_.push_back(slot);
}

}  // namespace lockstep::emulator
