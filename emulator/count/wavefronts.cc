// SPDX-License-Identifier: Apache-2.0
// Counting of wavefronts and sectors for accesses without a regular pattern.
#include "emulator/count/wavefronts.h"

#include <algorithm>
#include <bit>

#include "emulator/count/bank_passes.h"
#include "emulator/lanes/lane_count.h"

namespace lockstep::emulator {
namespace {

// bank_passes, with the usual case first: no two lanes in one bank.
uint32_t passes(const uint64_t* address, uint32_t lanes, uint32_t bytes) {
  if (bytes <= 4) {
    uint32_t banks = 0;
    for (uint32_t rest = lanes; rest != 0; rest &= rest - 1)
      banks |= 1u << (address[std::countr_zero(rest)] >> 2 & 31);
    if (lane_count(banks) == lane_count(lanes)) return 1;
  }
  return bank_passes(address, lanes, bytes);
}

// All active pairs of lanes n and n ^ distance read the same address.
bool pairs_agree(const uint64_t* address, uint32_t lanes, uint32_t distance) {
  for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const uint32_t lane = std::countr_zero(rest), other = lane ^ distance;
    if ((lanes >> other & 1) != 0 && address[lane] != address[other]) return false;
  }
  return true;
}

// A lane's partner (n^1) is not active: seen to keep two quarters apart once, of three cases.
bool partners_missing(uint32_t lanes) {
  const uint32_t swapped = (lanes & 0x55555555u) << 1 | (lanes >> 1 & 0x55555555u);
  return swapped != lanes;
}

}  // namespace

Wavefronts shared_wavefronts(const uint64_t* address, uint32_t lanes, uint32_t bytes, bool load) {
  Wavefronts out;
  const uint32_t width = bytes <= 4 ? 32 : bytes == 8 ? 16 : 8;
  const uint32_t group = width == 32 ? ~0u : (1u << width) - 1;
  const uint32_t step = load && width < 32 ? 2 * width : width;
  for (uint32_t first = 0; first < 32; first += step) {
    const uint32_t low = lanes & group << first;
    const uint32_t high = step > width ? lanes & group << (first + width) : 0;
    const uint32_t both = low | high;
    if (low != 0 && high != 0 && (pairs_agree(address, both, 1) || pairs_agree(address, both, 2))) {
      out.count += passes(address, both, bytes);
      ++out.ideal;
      out.merge_eligible |= partners_missing(both);
      continue;
    }
    for (const uint32_t part : {low, high}) {
      if (part == 0) continue;
      out.count += passes(address, part, bytes);
      ++out.ideal;  // one for each group with an active lane
    }
  }
  return out;
}

AtomicTurns shared_atomic_turns(const uint64_t* address, uint32_t lanes, uint32_t bytes,
                                bool loop) {
  AtomicTurns out;
  for (uint32_t rest = lanes; rest != 0;) {
    ++out.turns;
    out.lanes += static_cast<uint32_t>(lane_count(rest));
    if (loop) out.load_wavefronts += shared_wavefronts(address, rest, bytes, true).count;
    uint32_t taken[2] = {0, 0}, done = 0;  // banks, by half of the warp for 64 bits
    for (uint32_t left = rest; left != 0; left &= left - 1) {
      const uint32_t lane = std::countr_zero(left);
      const bool wide = bytes == 8;
      const uint32_t bank = 1u << (address[lane] >> (wide ? 3 : 2) & (wide ? 15 : 31));
      uint32_t& half = taken[wide ? lane / 16 : 0];
      if ((half & bank) != 0) continue;
      // Of two halves that want the same place one has to wait.
      bool wanted = false;
      for (uint32_t others = wide && lane >= 16 ? done & 0xFFFF : 0; others != 0;
           others &= others - 1)
        wanted |= address[std::countr_zero(others)] == address[lane];
      if (wanted) continue;
      half |= bank;
      done |= 1u << lane;
    }
    rest &= ~done;
  }
  return out;
}

uint32_t constant_wavefronts(const uint64_t* address, uint32_t lanes) {
  uint32_t count = 0;
  while (lanes != 0) {
    const uint64_t served = address[std::countr_zero(lanes)];
    uint32_t others = 0;
    for (uint32_t rest = lanes; rest != 0; rest &= rest - 1)
      if (address[std::countr_zero(rest)] != served) others |= rest & (0 - rest);
    lanes = others;
    ++count;
  }
  return count;
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

// A sector comes as often as its most wanted address has lanes.
uint32_t returned_sectors(const uint64_t* address, uint32_t lanes) {
  uint64_t sorted[32];
  uint32_t count = 0;
  for (uint32_t rest = lanes; rest != 0; rest &= rest - 1)
    sorted[count++] = address[std::countr_zero(rest)];
  if (!std::is_sorted(sorted, sorted + count)) std::sort(sorted, sorted + count);
  uint32_t sectors = 0, same = 0, most = 0;
  for (uint32_t i = 0; i < count; ++i) {
    same = i > 0 && sorted[i] == sorted[i - 1] ? same + 1 : 1;
    if (i > 0 && sorted[i] >> 5 != sorted[i - 1] >> 5) {
      sectors += most;
      most = 0;
    }
    most = std::max(most, same);
  }
  return sectors + most;
}

}  // namespace lockstep::emulator
