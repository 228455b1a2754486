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

// All active lanes n and n ^ distance read the same address. strict: neither is active alone.
bool pairs_agree(const uint64_t* address, uint32_t lanes, uint32_t distance, bool strict) {
  for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const uint32_t lane = std::countr_zero(rest), other = lane ^ distance;
    const bool both = (lanes >> other & 1) != 0;
    if (both ? address[lane] != address[other] : strict) return false;
  }
  return true;
}

bool pairs_agree(const uint64_t* address, uint32_t lanes, bool strict) {
  return pairs_agree(address, lanes, 1, strict) || pairs_agree(address, lanes, 2, strict);
}

bool all_agree(const uint64_t* address, uint32_t lanes) {
  const uint64_t first = address[std::countr_zero(lanes)];
  for (uint32_t rest = lanes; rest != 0; rest &= rest - 1)
    if (address[std::countr_zero(rest)] != first) return false;
  return true;
}

// Two neighbouring groups of a load that the card may take for one.
void count_groups(const uint64_t* address, uint32_t low, uint32_t high, uint32_t bytes,
                  bool may_be_one, Wavefronts* out) {
  if (low != 0 && high != 0 && may_be_one) {
    ++out->ideal;
    const uint32_t together = passes(address, low | high, bytes);
    if (together == 1) ++out->count;
    if (together == 1) return;
  } else {
    out->ideal += (low != 0) + (high != 0);
  }
  for (const uint32_t part : {low, high})
    if (part != 0) out->count += passes(address, part, bytes);
}

}  // namespace

Wavefronts shared_wavefronts(const uint64_t* address, uint32_t lanes, uint32_t bytes, bool load) {
  constexpr uint32_t kHalf = 0xffff, kQuarter = 0xff;
  Wavefronts out;
  if (bytes <= 4) {
    out = {passes(address, lanes, bytes), 1};
  } else if (!load) {
    const uint32_t width = bytes == 8 ? 16 : 8, group = bytes == 8 ? kHalf : kQuarter;
    for (uint32_t first = 0; first < 32; first += width)
      if (const uint32_t part = lanes & group << first; part != 0)
        count_groups(address, part, 0, bytes, false, &out);
  } else if (bytes == 8) {
    count_groups(address, lanes & kHalf, lanes & ~kHalf, bytes, pairs_agree(address, lanes, false),
                 &out);
  } else if (all_agree(address, lanes)) {
    out.count = out.ideal = lane_count(lanes) <= 16 ? 1 : 2;
  } else {
    for (const uint32_t half : {lanes & kHalf, lanes & ~kHalf}) {
      // Of the lower half the card looks at pairs only where the last lane of the warp takes part,
      // and then a lane without its partner is one that disagrees.
      const bool lower = (half & kHalf) != 0;
      const bool may_be_one = lower ? lanes >> 31 == 0 || pairs_agree(address, half, true)
                                    : pairs_agree(address, half, false);
      count_groups(address, half & 0x00ff00ffu, half & 0xff00ff00u, bytes, may_be_one, &out);
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
