// SPDX-License-Identifier: Apache-2.0
// Shared-memory wavefronts and global sectors of one warp access, by the rules of the card (exact
// tier). Bank = (address / 4) mod 32; a group's passes are the largest number of distinct words in
// one bank; groups are the warp, its halves (64 bits a lane) or its quarters (128 bits). Two groups
// of a load may be one (docs/counting.md, tests/data/h200_wavefronts).
#pragma once

#include <cstdint>

namespace lockstep::emulator {

struct Wavefronts {
  uint32_t count = 0;
  uint32_t ideal = 0;  // with no two words in one bank
};

// lanes: active lanes (not 0); bytes: 1 to 16 a lane; addresses of the others are not read.
Wavefronts shared_wavefronts(const uint64_t* address, uint32_t lanes, uint32_t bytes, bool load);

// An atomic operation on shared memory takes turns: one lane a bank in each.
struct AtomicTurns {
  uint32_t turns = 0;
  uint32_t lanes = 0;            // that take part, summed over the turns
  uint32_t load_wavefronts = 0;  // of loading what they will change, summed over the turns
};
// With loop: the operation is a loop that loads, computes and swaps; else load_wavefronts is 0.
AtomicTurns shared_atomic_turns(const uint64_t* address, uint32_t lanes, uint32_t bytes, bool loop);

// Distinct addresses of a load from constant memory or of a parameter: the card serves one at a
// time.
uint32_t constant_wavefronts(const uint64_t* address, uint32_t lanes);

// Distinct 32-byte sectors.
uint32_t distinct_sectors(const uint64_t* address, uint32_t lanes);

// 32-byte sectors that L2 sends back for an atomic operation on global memory whose result is used:
// lanes of one address take turns, and each turn brings its sectors.
uint32_t returned_sectors(const uint64_t* address, uint32_t lanes);

}  // namespace lockstep::emulator
