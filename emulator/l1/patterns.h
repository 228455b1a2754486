// SPDX-License-Identifier: Apache-2.0
// Counts that depend only on the pattern of an access, remembered by instruction: wavefronts and
// bank conflicts follow from the lanes' distances, the place within 128 bytes, and the width.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "emulator/count/wavefronts.h"
#include "emulator/l1/l1_model.h"

namespace lockstep::emulator {

struct Lanes;

class PatternCounts {
 public:
  PatternCounts() : entries_(kEntries) {}

  // slot: the instruction's memory slot.
  Wavefronts wavefronts(const Lanes& l, uint32_t slot, uint32_t bytes, bool load);
  // Of a global access: lines relative to the first active lane's, conflicts in eighths.
  struct Global {
    L1Model::Lines lines;
    uint32_t eighths = 0;
  };
  const Global& global(const Lanes& l, uint32_t slot, uint32_t bytes, L1Model& l1);

 private:
  static constexpr size_t kEntries = 512;
  struct Entry {
    uint64_t distance[32] = {};  // of each active lane from the first one
    uint32_t mask = 0;           // 0: empty
    uint32_t slot = 0, place = 0, bytes = 0;
    Wavefronts wavefronts;
    Global global;
    bool has_wavefronts = false, has_global = false;
  };
  // The entry of this very pattern, perhaps without counts yet.
  Entry& find(const Lanes& l, uint32_t slot, uint32_t bytes);

  std::vector<Entry> entries_;
};

}  // namespace lockstep::emulator
