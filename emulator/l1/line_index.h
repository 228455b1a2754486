// SPDX-License-Identifier: Apache-2.0
// Finds a line among the at most 32 of one warp access. Used by l1_model.cc.
#pragma once

#include <cstdint>

namespace lockstep::emulator {

class LineIndex {
 public:
  void clear() {
    if (++stamp_ != 0) return;
    for (Slot& slot : slots_) slot.stamp = 0;
    stamp_ = 1;
  }
  // The number that the line was entered with; enters it with `number` where it is new.
  uint32_t enter(uint64_t line, uint32_t number) {
    Slot& slot = find(line);
    if (slot.stamp != stamp_) slot = {line, stamp_, number};
    return slot.number;
  }
  // The same, but `missing` where it is not there.
  uint32_t number(uint64_t line, uint32_t missing) {
    const Slot& slot = find(line);
    return slot.stamp == stamp_ ? slot.number : missing;
  }

 private:
  struct Slot {
    uint64_t line = 0;
    uint32_t stamp = 0;
    uint32_t number = 0;
  };
  // Twice as many slots as lines: there is always a free one.
  Slot& find(uint64_t line) {
    uint32_t at = uint32_t(line * 0x9E3779B97F4A7C15u >> 58);
    while (slots_[at].stamp == stamp_ && slots_[at].line != line) at = (at + 1) & 63;
    return slots_[at];
  }
  Slot slots_[64];
  uint32_t stamp_ = 0;
};

}  // namespace lockstep::emulator
