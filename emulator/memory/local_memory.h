// SPDX-License-Identifier: Apache-2.0
// The local memory of a warp's lanes: their stack, which grows down from the same address as in
// machine code, interleaved by words as on the card.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "emulator/memory/address_space.h"

namespace lockstep::emulator {

class LocalMemory {
 public:
  void clear() {
    low_ = kLocalTop;
    bytes_.clear();
  }
  // Makes room down to this address. What is new holds the word.
  void reserve(uint64_t low, uint32_t word) {
    low_ = std::min(low_, low / 16 * 16);
    const size_t need = size() * 32, had = bytes_.size();
    if (had >= need) return;
    const size_t more = std::max(need, 2 * had) - had;
    bytes_.insert(bytes_.begin(), more, std::byte{});
    for (size_t at = 0; word != 0 && at < more; at += sizeof word)
      std::memcpy(bytes_.data() + at, &word, sizeof word);
  }
  uint64_t begin() const { return low_; }
  uint64_t size() const { return kLocalTop - low_; }  // bytes of a lane
  bool holds(uint64_t address, uint64_t bytes) const {
    return address >= low_ && address <= kLocalTop && bytes <= kLocalTop - address;
  }
  // Three more bytes follow, where the address is that of a word.
  std::byte* at(uint64_t address, uint64_t lane) {
    const uint64_t offset = address - (kLocalTop - bytes_.size() / 32);
    return bytes_.data() + ((offset >> 2) * 32 + lane) * 4 + (offset & 3);
  }
  const std::byte* at(uint64_t address, uint64_t lane) const {
    return const_cast<LocalMemory*>(this)->at(address, lane);
  }

 private:
  uint64_t low_ = kLocalTop;
  // Down to low_ or below: it grows by as much as it has. Word w of lane l at (w * 32 + l) * 4.
  std::vector<std::byte> bytes_;
};

}  // namespace lockstep::emulator
