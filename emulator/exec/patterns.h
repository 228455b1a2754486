// SPDX-License-Identifier: Apache-2.0
// Counts that depend on the pattern of an access only, remembered: with one stride between lanes,
// wavefronts and bank conflicts follow from stride, place within 128 bytes, lanes and width.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "emulator/count/wavefronts.h"

namespace lockstep::emulator {

struct Lanes;

class PatternCounts {
 public:
  PatternCounts() : wavefronts_(kEntries), conflicts_(kEntries) {}

  Wavefronts wavefronts(const Lanes& l, uint32_t bytes, bool load);
  // Of a global access, in eighths (l1_model.h).
  uint32_t conflict_eighths(const Lanes& l, uint32_t bytes);

 private:
  static constexpr size_t kEntries = 256;
  struct Key {
    uint64_t stride = 0;
    uint32_t mask = 0;   // 0: an empty entry
    uint32_t rest = 0;   // place, width, kind
    bool operator==(const Key&) const = default;
    size_t slot() const {
      return (stride * 0x9e3779b97f4a7c15ull ^ (uint64_t{mask} << 16 | rest) * 0xff51afd7ed558ccdull) >>
             56;
    }
  };
  static Key key_of(const Lanes& l, uint32_t bytes, bool load);
  template <class T>
  struct Entry {
    Key key;
    T value{};
  };
  std::vector<Entry<Wavefronts>> wavefronts_;
  std::vector<Entry<uint32_t>> conflicts_;
};

}  // namespace lockstep::emulator
