// SPDX-License-Identifier: Apache-2.0
// Shared-memory wavefronts and global sectors of one warp access, by the rules of the card (exact
// tier). Bank = (address / 4) mod 32; a group's passes are the largest number of distinct words in
// one bank; groups are the warp, its halves (64 bits a lane) or its quarters (128 bits).
#pragma once

#include <cstdint>

namespace lockstep::emulator {

struct Wavefronts {
  uint32_t count = 0;
  uint32_t ideal = 0;
  bool merge_eligible = false;  // a 64- or 128-bit load in which lanes n and n^1, or n and n^2,
                                // read the same: the card may need fewer
};

// lanes: active lanes (not 0); bytes: 1 to 16 a lane; addresses of the others are not read.
Wavefronts shared_wavefronts(const uint64_t* address, uint32_t lanes, uint32_t bytes, bool load);

// Distinct 32-byte sectors.
uint32_t distinct_sectors(const uint64_t* address, uint32_t lanes);

}  // namespace lockstep::emulator
