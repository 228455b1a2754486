// SPDX-License-Identifier: Apache-2.0
// Device addresses. The address space is cut into slots of 32 GiB; each buffer or variable has a
// slot to itself, so that an address far out of bounds still tells which array was meant. Slot 0
// holds the null pointer, the next ones the windows of generic addresses (shared, local, ...).
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "emulator/memory/definedness.h"

namespace lockstep::emulator {

inline constexpr int kSlotBits = 35;
inline constexpr uint64_t kSlotBytes = uint64_t{1} << kSlotBits;
inline constexpr uint64_t kSharedWindow = 1 * kSlotBytes;
inline constexpr uint64_t kLocalWindow = 2 * kSlotBytes;
inline constexpr uint64_t kParamWindow = 3 * kSlotBytes;
inline constexpr uint64_t kFunctionWindow = 4 * kSlotBytes;  // + 16 * function
inline constexpr uint32_t kFirstSlot = 8;
inline constexpr uint32_t kMostSlots = 1 << 16;

struct Allocation {
  std::string name;
  uint64_t begin = 0, end = 0;  // device addresses
  std::byte* data = nullptr;
  bool read_only = false;
  bool is_const = false;            // a __constant__ variable
  bool is_variable = false;         // of the module, not a buffer
  std::atomic<bool> stored{false};  // a kernel has stored to it
  std::unique_ptr<Definedness> defined;
  std::unique_ptr<std::byte[], void (*)(void*)> storage{nullptr, nullptr};

  uint64_t bytes() const { return end - begin; }
  bool contains(uint64_t first, uint64_t last) const { return first >= begin && last < end; }
  // Whether kernels may store to it; notes that one does.
  bool admits_store() {
    if (stored.load(std::memory_order_relaxed)) return true;
    if (read_only || is_const) return false;
    stored.store(true, std::memory_order_relaxed);
    return true;
  }
};

class AddressSpace {
 public:
  AddressSpace();
  // Zeroed memory, undefined unless `defined`. Throws Error where there is no room.
  Allocation* allocate(const std::string& name, uint64_t bytes, bool defined);
  void release(Allocation* allocation);

  // The allocation whose slot the address lies in, in bounds or not; nullptr: none.
  Allocation* owner(uint64_t address) const {
    const uint64_t slot = address >> kSlotBits;
    return slot < slots_.size() ? slots_[slot].get() : nullptr;
  }

 private:
  std::vector<std::unique_ptr<Allocation>> slots_;
  std::vector<uint32_t> free_;
  uint64_t placed_ = 0;  // bytes handed out: places buffers as one after the other
};

}  // namespace lockstep::emulator
