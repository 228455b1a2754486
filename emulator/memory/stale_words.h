// SPDX-License-Identifier: Apache-2.0
// The L1 caches of a card know nothing of what others change: what a block has loaded by a plain
// load it may find as it was then, though others have changed it atomically since. A fence of its
// own, or an operation that acquires, ends that. (Plain stores by others are races in any case.)
#pragma once

#include <cstdint>
#include <unordered_map>

namespace lockstep::emulator {

// By word of what GlobalRaces follows.
class StaleWords {
 public:
  static constexpr uint32_t kOfASector = 8;  // words, which come together

  void clear() { words_.clear(), times_.clear(); }
  bool has(uint32_t block, uint32_t word) const { return found(block, word) != nullptr; }
  // What the block loaded there, if it may be there still; else what is there now, which stays.
  uint32_t load(uint32_t block, uint32_t word, uint32_t now) {
    if (const Kept* kept = found(block, word)) return kept->value;
    words_[key(block, word)] = {now, time(block)};
    return now;
  }
  // The block itself has stored there, or operated on it atomically.
  void change(uint32_t block, uint32_t word) {
    if (!words_.empty()) words_.erase(key(block, word));
  }
  void fence(uint32_t block) {
    if (!words_.empty()) ++times_[block];
  }

 private:
  struct Kept {
    uint32_t value = 0, time = 0;
  };
  static uint64_t key(uint32_t block, uint32_t word) { return uint64_t{block} << 32 | word; }
  uint32_t time(uint32_t block) const {
    const auto at = times_.find(block);
    return at == times_.end() ? 0 : at->second;
  }
  const Kept* found(uint32_t block, uint32_t word) const {
    const auto at = words_.find(key(block, word));
    return at != words_.end() && at->second.time == time(block) ? &at->second : nullptr;
  }

  std::unordered_map<uint64_t, Kept> words_;
  std::unordered_map<uint32_t, uint32_t> times_;  // fences, by block
};

}  // namespace lockstep::emulator
