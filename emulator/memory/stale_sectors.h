// SPDX-License-Identifier: Apache-2.0
// The L1 caches of a card know nothing of what others change. So a sector of global memory that a
// block has loaded by a plain load it may find again as it was, until it has a fence of more than
// itself, or an operation that acquires; what it changes itself it finds.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <unordered_map>

namespace lockstep::emulator {

class StaleSectors {
 public:
  static constexpr uint64_t kBytes = 32;
  // What a block has kept; mask: of the bytes that it has.
  struct Sector {
    uint32_t time = 0, mask = 0;
    std::byte bytes[kBytes];
  };

  void clear() {
    Sectors().swap(sectors_);
    times_.clear();
  }
  // To be filled with what is there of what its mask lacks; nullptr: there are too many.
  Sector* of(uint32_t block, uint64_t address) {
    constexpr size_t kMost = 1 << 18;
    const uint64_t where = key(block, address);
    if (sectors_.size() >= kMost && !sectors_.contains(where)) return nullptr;
    Sector& sector = sectors_[where];
    if (const uint32_t now = time(block); sector.time != now) sector = {now, 0, {}};
    return &sector;
  }
  // The block itself has changed these bytes.
  void change(uint32_t block, uint64_t address, uint32_t bytes) {
    const uint64_t end = address + bytes;
    for (uint64_t at = address; at < end && !sectors_.empty();) {
      const uint64_t next = std::min(end, (at / kBytes + 1) * kBytes);
      const uint64_t here = ((uint64_t{1} << (next - at)) - 1) << at % kBytes;
      if (const auto found = sectors_.find(key(block, at)); found != sectors_.end())
        found->second.mask &= ~static_cast<uint32_t>(here);
      at = next;
    }
  }
  void fence(uint32_t block) {
    if (!sectors_.empty()) ++times_[block];
  }

 private:
  using Sectors = std::unordered_map<uint64_t, Sector>;
  // Addresses have less than 49 bits, and blocks that are followed less than 17.
  static uint64_t key(uint32_t block, uint64_t address) {
    return address / kBytes ^ uint64_t { block } << 44;
  }
  uint32_t time(uint32_t block) const {
    const auto at = times_.find(block);
    return at == times_.end() ? 0 : at->second;
  }

  Sectors sectors_;
  std::unordered_map<uint32_t, uint32_t> times_;  // fences, by block
};

}  // namespace lockstep::emulator
