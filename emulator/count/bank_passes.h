// SPDX-License-Identifier: Apache-2.0
// The largest number of distinct 32-bit words that a group of lanes touches in one of 32 banks.
// Used by the shared-memory rule (wavefronts.cc) and by the global one (l1_model.cc).
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>

namespace lockstep::emulator {

// bytes: 1 to 16 a lane; lanes times words (a lane of up to 4 bytes has one) must be at most 64.
inline uint32_t bank_passes(const uint64_t* address, uint32_t lanes, uint32_t bytes) {
  const uint32_t words = bytes <= 4 ? 1 : bytes / 4;
  // Each bank has a chain of the distinct words found in it: indices into word[].
  constexpr uint8_t kEnd = 0xff;
  uint8_t head[32], next[64];
  uint64_t word[64];
  std::memset(head, kEnd, sizeof head);
  uint32_t used = 0, most = 0;
  for (; lanes != 0; lanes &= lanes - 1) {
    const uint64_t first = address[std::countr_zero(lanes)] >> 2;
    for (uint32_t k = 0; k < words; ++k) {
      const uint64_t wanted = first + k;
      uint8_t* link = &head[wanted & 31];
      uint32_t length = 1;
      for (; *link != kEnd && word[*link] != wanted; link = &next[*link]) ++length;
      if (*link != kEnd) continue;
      *link = static_cast<uint8_t>(used);
      word[used] = wanted;
      next[used++] = kEnd;
      most = std::max(most, length);
    }
  }
  return most;
}

}  // namespace lockstep::emulator
