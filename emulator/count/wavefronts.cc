// SPDX-License-Identifier: Apache-2.0
// Counting of wavefronts and sectors for accesses without a regular pattern.
#include "emulator/count/wavefronts.h"

#include <algorithm>
#include <bit>

namespace lockstep::emulator {
namespace {

// The largest number of distinct 32-bit words in one bank, over the given lanes.
uint32_t passes(const uint64_t* address, uint32_t lanes, uint32_t bytes) {
  const uint32_t words = bytes <= 4 ? 1 : bytes / 4;
  if (bytes <= 4) {  // the usual case: no two lanes in one bank
    uint32_t banks = 0;
    for (uint32_t rest = lanes; rest != 0; rest &= rest - 1)
      banks |= 1u << (address[std::countr_zero(rest)] >> 2 & 31);
    if (std::popcount(banks) == std::popcount(lanes)) return 1;
  }
  uint64_t in_bank[32][32];
  uint8_t count[32] = {};
  uint32_t most = 0;
  for (; lanes != 0; lanes &= lanes - 1) {
    const uint64_t first = address[std::countr_zero(lanes)] >> 2;
    for (uint32_t k = 0; k < words; ++k) {
      const uint64_t word = first + k;
      const uint32_t bank = word & 31;
      uint32_t i = 0;
      while (i < count[bank] && in_bank[bank][i] != word) ++i;
      if (i < count[bank]) continue;
      in_bank[bank][count[bank]++] = word;
      most = std::max<uint32_t>(most, count[bank]);
    }
  }
  return most;
}

// All active pairs of lanes n and n ^ distance read the same address.
bool pairs_agree(const uint64_t* address, uint32_t lanes, uint32_t distance) {
  for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const uint32_t lane = std::countr_zero(rest), other = lane ^ distance;
    if ((lanes >> other & 1) != 0 && address[lane] != address[other]) return false;
  }
  return true;
}

}  // namespace

Wavefronts shared_wavefronts(const uint64_t* address, uint32_t lanes, uint32_t bytes, bool load) {
  Wavefronts out;
  const uint32_t width = bytes <= 4 ? 32 : bytes == 8 ? 16 : 8;
  const uint32_t group = width == 32 ? ~0u : (1u << width) - 1;
  for (uint32_t first = 0; first < 32; first += width) {
    const uint32_t part = lanes & group << first;
    if (part == 0) continue;
    out.count += passes(address, part, bytes);
    ++out.ideal;  // one for each group with an active lane
  }
  out.merge_eligible = load && bytes > 4 &&
                       (pairs_agree(address, lanes, 1) || pairs_agree(address, lanes, 2));
  return out;
}

uint32_t distinct_sectors(const uint64_t* address, uint32_t lanes) {
  uint64_t seen[32];
  uint32_t count = 0;
  bool rising = true;
  uint64_t last = 0;
  for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const uint64_t sector = address[std::countr_zero(rest)] >> 5;
    if (count > 0 && sector == last) continue;
    rising &= count == 0 || sector > last;
    seen[count++] = last = sector;
  }
  if (rising) return count;
  std::sort(seen, seen + count);
  return static_cast<uint32_t>(std::unique(seen, seen + count) - seen);
}

}  // namespace lockstep::emulator
