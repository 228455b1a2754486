// SPDX-License-Identifier: Apache-2.0
// Numbers that follow from one seed: integers alone, so that every machine draws the same.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

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
  // The same; one in three begins with up to six binary digits and goes on with zeros, as sizes
  // that people take do.
  int64_t size_as_used(Range range) {
    const int64_t drawn = size(range);
    int64_t digits = 1;
    while (drawn >> digits > 0) ++digits;
    const int64_t zeros = std::max<int64_t>(digits - 1 - between({0, 5}), 0);
    if (between({0, 2}) != 0) return drawn;
    const int64_t round = drawn >> zeros << zeros;
    return round >= range.from ? round : drawn;
  }
  // One in four a multiple of that, where the range has any.
  int64_t between_or_multiple(Range range, int64_t of) {
    const int64_t drawn = between(range);
    const Range multiples{std::max<int64_t>((range.from + of - 1) / of, 1), range.to / of};
    if (between({0, 3}) != 0 || multiples.to < multiples.from) return drawn;
    return of * between(multiples);
  }
  template <typename T>
  T one_of(const std::vector<T>& all) {
    return all[static_cast<size_t>(between({0, static_cast<int64_t>(all.size()) - 1}))];
  }
  int64_t between(Range range) {
    return range.from +
           static_cast<int64_t>(next() % static_cast<uint64_t>(range.to - range.from + 1));
  }

 private:
  uint64_t seed_, count_ = 0;
};

}  // namespace lockstep
