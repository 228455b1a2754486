// SPDX-License-Identifier: Apache-2.0
// What follows from the lanes' distances.
#include "emulator/l1/patterns.h"

#include <algorithm>
#include <bit>

namespace lockstep::emulator {
namespace {

// Addresses with these distances and this place, far from 0.
struct Example {
  static constexpr uint64_t kFirst = uint64_t{1} << 40;
  uint64_t address[32];
  explicit Example(const Pattern& p) {
    for (int i = 0; i < 32; ++i)
      address[i] = kFirst + p.place + static_cast<uint64_t>(int64_t{p.distance[i]});
  }
};

}  // namespace

Patterns::Patterns(size_t slots) : all_(std::bit_ceil(std::clamp<size_t>(slots * 4, 1, kMost))) {}

void Patterns::fill(Pattern* p, const uint32_t* at, uint32_t mask, uint32_t place, uint32_t slot,
                    uint32_t bytes) {
  *p = Pattern();
  p->mask = mask;
  p->slot = slot;
  p->place = place;
  p->bytes = bytes;
  p->first = std::countr_zero(mask);
  p->active = std::popcount(mask);
  p->run = p->apart = true;
  p->group = mask == ~0u ? 32 : 1;
  int64_t before = 0;
  for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
    const int i = std::countr_zero(rest);
    const auto distance = static_cast<int32_t>(at[i] - at[p->first]);
    p->distance[i] = distance;
    p->low = std::min(p->low, distance);
    p->high = std::max(p->high, distance);
    p->odd |= static_cast<uint32_t>(distance);
    if (i > p->first) {
      p->apart &= distance >= before + bytes;
      const bool follows = distance == before + bytes && (mask >> (i - 1) & 1) != 0;
      p->run &= follows;
      if (!follows) p->group = std::min(p->group, i & -i);
    }
    before = distance;
  }
  // Each bank of a run is wanted once, its lines are those from its first to its last byte. Lanes
  // that are whole sectors apart have the same place in each, and their banks turn together.
  p->place_bits = p->run ? 3 : (p->odd & 31) == 0 ? 96 : 127;
}

void Patterns::find_wavefronts(Pattern* p, bool load) {
  p->has_wavefronts = true;
  const uint32_t ideal = p->bytes <= 4 ? 1 : p->bytes / 4;
  if (p->group == 32 && (p->bytes >= 4 || (p->place & 3) == 0))
    p->wavefronts = {ideal, ideal};  // neighbours: each bank at most once a group
  else
    p->wavefronts = shared_wavefronts(Example(*p).address, p->mask, p->bytes, load);
}

void Patterns::find_lines(Pattern* p, L1Model& l1) {
  if (p->lines_found++ == 1) {
    p->lines.shape = shapes_->number(p->lines);
    return;
  }
  const Example example(*p);
  p->lines = l1.split(example.address, p->mask);
  p->eighths = l1.bank_conflict_eighths(example.address, p->mask, p->bytes, p->lines.count);
  p->lines.lowest -= Example::kFirst >> 7;
}

}  // namespace lockstep::emulator
