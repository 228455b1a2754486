// SPDX-License-Identifier: Apache-2.0
// Numbers that follow from one seed: integers alone, so that every machine draws the same.
#pragma once

#include <algorithm>
#include <cstdint>

#include "common/harness/plan_file.h"

namespace lockstep {

// The i-th number is seed_of_pass(seed, i).
class Draw {
 public:
  explicit Draw(uint64_t seed) : seed_(seed) {}
  uint64_t next() { return seed_of_pass(seed_, ++count_); }
  // Each doubling alike, so that no order of magnitude is rare.
  int64_t size(Range range) {
    int64_t doublings = 0;
    while ((range.from << (doublings + 1)) <= range.to) ++doublings;
    const int64_t from = range.from << between({0, doublings});
    return between({from, std::min(2 * from - 1, range.to)});
  }
  int64_t between(Range range) {
    return range.from +
           static_cast<int64_t>(next() % static_cast<uint64_t>(range.to - range.from + 1));
  }

 private:
  uint64_t seed_, count_ = 0;
};

}  // namespace lockstep
