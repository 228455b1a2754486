// SPDX-License-Identifier: Apache-2.0
// Device addresses, as a card gives them: 47 bits that begin with 0x7e or 0x7f, drawn anew by each
// process from the system's random numbers, so that no kernel can tell by its pointers where it
// runs. Each buffer or variable has a room of addresses around it, so that an address out of bounds
// still tells which array was meant; generic addresses of other spaces have windows above them.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "emulator/memory/definedness.h"

namespace lockstep::emulator {

// Windows of generic addresses; kNone: global memory, or nothing.
enum class Window : uint8_t { kShared, kLocal, kParam, kFunction, kNone };
inline constexpr int kWindowBits = 25;
inline constexpr uint64_t kWindowMask = (uint64_t{1} << kWindowBits) - 1;
// The byte above the stack of local memory, in its window: what a card gives in c[0x0][0x28].
inline constexpr uint64_t kLocalTop = 0x100000;
// Where a block's shared memory begins in its window: a card keeps the first 1 KiB.
inline constexpr uint32_t kSharedFirst = 1024;

// Of the first window; a multiple of the windows' size, the same while the process lives.
uint64_t first_window();
inline uint64_t window_begin(Window w) {
  return first_window() + (static_cast<uint64_t>(w) << kWindowBits);
}
inline Window window_of(uint64_t address) {
  const uint64_t number = (address - first_window()) >> kWindowBits;
  return number < static_cast<uint64_t>(Window::kNone) ? static_cast<Window>(number)
                                                       : Window::kNone;
}
// From an address of the shared state space to the place in the block's shared memory; of what lies
// before it a huge number, to which a size can be added.
inline uint64_t shared_offset(uint64_t address) {
  return (address - kSharedFirst) & ~uint64_t{0} >> 1;
}

struct Allocation {
  std::string name;
  uint64_t begin = 0, end = 0;  // device addresses
  std::byte* data = nullptr;
  bool read_only = false;
  bool is_const = false;             // a __constant__ variable
  bool is_variable = false;          // of the module, not a buffer
  std::atomic<bool> changed{false};  // by the kernel that runs or ran last
  bool changed_before = false;       // by an earlier one, since this was last cleared
  std::unique_ptr<Definedness> defined;
  std::unique_ptr<std::byte[], void (*)(void*)> storage{nullptr, nullptr};

  uint64_t bytes() const { return end - begin; }
  bool contains(uint64_t first, uint64_t last) const { return first >= begin && last < end; }
  // Whether kernels may store to it; notes that one does.
  bool admits_store() {
    if (changed.load(std::memory_order_relaxed)) return true;
    if (read_only || is_const) return false;
    changed.store(true, std::memory_order_relaxed);
    return true;
  }
};

class AddressSpace {
 public:
  AddressSpace();
  // Zeroed memory, undefined unless `defined`, at a multiple of 512. Throws Error where there is no
  // room.
  Allocation* allocate(const std::string& name, uint64_t bytes, bool defined);
  // Variables of a module, defined, where a card's driver puts them: constants as in their bank,
  // the others behind them in their order, each at a multiple of 256 (seen on an H100, driver 580).
  // So an access out of bounds may be another variable's, as there.
  struct OfModule {
    std::string name;
    uint64_t bytes = 0, align = 1;
    bool is_const = false;
  };
  std::vector<Allocation*> allocate_variables(const std::vector<OfModule>& variables);
  void release(Allocation* allocation);
  // Before a launch: nothing is changed by it yet.
  void forget_changes();
  // After one by which it was not followed which bytes are written: all of the changed arrays are.
  void define_changed();

  // Calls f with each allocation.
  template <class F>
  void each_allocation(F f) const {
    for (const auto& [first, room] : rooms_) f(*room.allocation);
  }

  // The allocation in whose room the address lies, in bounds or not; nullptr: none.
  Allocation* owner(uint64_t address) const;

 private:
  struct Room {
    uint64_t bytes = 0;
    std::unique_ptr<Allocation> allocation;
  };
  uint64_t take_room(uint64_t bytes, const std::string& name);
  Allocation* put(uint64_t first, uint64_t room, uint64_t begin, std::unique_ptr<Allocation> fresh);
  std::map<uint64_t, Room> rooms_;          // by first address
  std::multimap<uint64_t, uint64_t> free_;  // by bytes: first address
  uint64_t lowest_;                         // first address of the lowest room, as yet
};

}  // namespace lockstep::emulator
