// SPDX-License-Identifier: Apache-2.0
// The lines of warp accesses, and those that come again and again, each kept once. An access with a
// kept shape is recorded in two words for the L1 model, and replayed at once where the same warp's
// last one had the same lines.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <unordered_map>
#include <vector>

#include "emulator/l1/l1_lines.h"

namespace lockstep::emulator {

inline constexpr uint32_t kNoShape = ~0u;

// The lines (address / 128) of an access in the order of its lanes: the lowest, and pieces whose
// lines are relative to it.
struct AccessLines {
  uint32_t count = 0, sectors = 0;  // lines; sectors in all
  uint32_t shape = kNoShape;        // in the L1Shapes of its thread
  uint64_t lowest = 0;
  L1Piece piece[32];
};

// Those of one host thread, for all of its L1 models.
class L1Shapes {
 public:
  // The number of the shape with these pieces, which is made where there is none; kNoShape: there
  // are too many.
  uint32_t number(const AccessLines& lines);
  const AccessLines& operator[](size_t number) const { return all_[number]; }

 private:
  static constexpr size_t kMost = 4096;
  std::deque<AccessLines> all_;
  std::unordered_map<uint64_t, std::vector<uint32_t>> by_hash_;
};

}  // namespace lockstep::emulator
