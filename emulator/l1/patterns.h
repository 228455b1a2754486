// SPDX-License-Identifier: Apache-2.0
// What accesses of one pattern have in common, remembered by instruction: all but the address of
// the first active lane follows from the lanes' distances, the place within 128 bytes, and the
// width.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "emulator/count/wavefronts.h"
#include "emulator/l1/l1_model.h"
#include "emulator/lanes/lanes.h"

namespace lockstep::emulator {

struct Pattern {
  alignas(64) int32_t distance[32] = {};  // of each active lane from the first one; of others 0
  uint32_t mask = 0;                      // 0: none yet
  uint32_t slot = 0, place = 0, bytes = 0;
  uint32_t place_bits = 0;    // those of the place that matter
  int32_t low = 0, high = 0;  // of the distances
  uint32_t odd = 0;           // all bits that distances have
  int first = 0, active = 0;  // first active lane; how many are active
  int group = 1;       // of all lanes so many neighbours, from a multiple on, follow each other
  bool run = false;    // the active lanes are neighbours, and their data follow each other
  bool apart = false;  // no two lanes overlap
  bool has_wavefronts = false;
  uint8_t lines_found = 0;  // 1: they are there; 2: and their shape is kept
  Wavefronts wavefronts;
  AccessLines lines;     // relative to the first active lane's
  uint32_t eighths = 0;  // of bank conflicts of a global access

  // Of an active lane, by that of the first one.
  uint64_t address(uint64_t of_first, int lane) const {
    return of_first + static_cast<uint64_t>(int64_t{distance[lane]});
  }
};

class Patterns {
 public:
  explicit Patterns(size_t slots = 0);

  // at: 32 bits of all lanes' addresses, of which active ones have the distances as signed numbers.
  // mask: not 0. place: first address modulo 128, for wavefronts alone modulo 4. slot: the
  // instruction's.
  LOCKSTEP_INLINE Pattern& find(const uint32_t* at, uint32_t mask, uint32_t place, uint32_t slot,
                                uint32_t bytes) {
    Pattern& p = all_[(slot * 4 + (place >> 5)) & (all_.size() - 1)];
    if (p.mask != mask || p.slot != slot || ((p.place ^ place) & p.place_bits) != 0 ||
        p.bytes != bytes || !same(p, at)) [[unlikely]]
      fill(&p, at, mask, place, slot, bytes);
    return p;
  }

  // Of an access to shared memory; all uses of its slot are loads, or none.
  static const Wavefronts& wavefronts(Pattern& p, bool load) {
    if (!p.has_wavefronts) find_wavefronts(&p, load);
    return p.wavefronts;
  }
  // With lines and conflicts, of an access to global memory that is no run. What comes twice has a
  // shape.
  const Pattern& with_lines(Pattern& p, L1Model& l1) {
    if (p.lines_found < 2) [[unlikely]]
      find_lines(&p, l1);
    return p;
  }
  const L1Shapes* shapes() const { return shapes_.get(); }

 private:
  static constexpr size_t kMost = 512;
  LOCKSTEP_INLINE static bool same(const Pattern& p, const uint32_t* at) {
    const uint32_t first = at[p.first];
    uint32_t different = 0;
    if (p.mask == ~0u) {
#pragma GCC ivdep
      for (int i = 0; i < 32; ++i)
        different |= (at[i] - first) ^ static_cast<uint32_t>(p.distance[i]);
    } else {
#pragma GCC ivdep
      for (int i = 0; i < 32; ++i)
        different |=
            ((at[i] - first) ^ static_cast<uint32_t>(p.distance[i])) & (0 - (p.mask >> i & 1));
    }
    return different == 0;
  }
  static void fill(Pattern* p, const uint32_t* at, uint32_t mask, uint32_t place, uint32_t slot,
                   uint32_t bytes);
  static void find_wavefronts(Pattern* p, bool load);
  void find_lines(Pattern* p, L1Model& l1);

  std::vector<Pattern> all_;
  std::unique_ptr<L1Shapes> shapes_ = std::make_unique<L1Shapes>();
};

}  // namespace lockstep::emulator
