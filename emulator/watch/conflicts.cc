// SPDX-License-Identifier: Apache-2.0
#include "emulator/watch/conflicts.h"

#include <bit>
#include <set>

namespace lockstep::emulator {
namespace {

constexpr uint32_t kBanks = 32;

// More of them, or as many that begin with an earlier one.
bool is_fuller(uint32_t lanes, uint32_t than) {
  const int more = std::popcount(lanes) - std::popcount(than);
  return more > 0 || (more == 0 && std::countr_zero(lanes) < std::countr_zero(than));
}

Meeting fullest_of_group(const uint64_t* offsets, uint32_t mask, uint32_t words) {
  std::set<uint64_t> seen;  // words
  uint32_t lanes[kBanks] = {};
  for (; mask != 0; mask &= mask - 1) {
    const int lane = std::countr_zero(mask);
    for (uint32_t k = 0; k < words; ++k) {
      const uint64_t word = offsets[lane] / 4 + k;
      if (seen.insert(word).second) lanes[word % kBanks] |= 1u << lane;
    }
  }
  Meeting fullest;
  for (uint32_t bank = 0; bank < kBanks; ++bank) {
    fullest.banks += lanes[bank] != 0 ? 1 : 0;
    if (is_fuller(lanes[bank], fullest.lanes)) fullest.lanes = lanes[bank];
  }
  return fullest;
}

}  // namespace

// Groups are the warp, its halves (64 bits a lane) or its quarters (128 bits).
Meeting fullest_bank(const uint64_t* offsets, uint32_t mask, uint32_t bytes) {
  const uint32_t words = bytes <= 4 ? 1 : bytes / 4;
  const uint32_t group = kBanks / std::bit_ceil(words);
  Meeting fullest;
  for (uint32_t first = 0; first < kBanks; first += group) {
    const uint32_t here = group == kBanks ? mask : mask & ((1u << group) - 1) << first;
    const Meeting one = fullest_of_group(offsets, here, words);
    if (is_fuller(one.lanes, fullest.lanes)) fullest = one;
  }
  return fullest;
}

void Meetings::note(uint32_t launch, uint32_t instruction, const Meeting& meeting) {
  Meeting& fullest = fullest_[{launch, instruction}];
  if (is_fuller(meeting.lanes, fullest.lanes)) fullest = meeting;
}

Meeting Meetings::of(uint32_t launch, uint32_t instruction) const {
  const auto found = fullest_.find({launch, instruction});
  return found == fullest_.end() ? Meeting() : found->second;
}

}  // namespace lockstep::emulator
