// SPDX-License-Identifier: Apache-2.0
// Some blocks of a grid that stand for all of them: which, and what is counted then.
#pragma once

#include <cstdint>
#include <vector>

#include "common/backend/counts.h"
#include "emulator/sass/run.h"

namespace lockstep::emulator::sass {

// Of so many, so many fewer, ascending; the same from the same seed.
std::vector<uint64_t> draw_blocks(uint64_t of, uint64_t count, uint64_t seed);

// From counts of those that were executed (RunOptions::blocks; none: all were) to those of all the
// grid's blocks; a longest path stays as it is. metric::kUnevenBlocks becomes 1 where the mean of
// the drawn blocks' instructions is not known well enough, by its standard error, and where it
// hangs on what other blocks have done what these do.
void stand_for_all(const Profile& profile, uint64_t blocks, bool hangs_on_order, Counts* counts);

}  // namespace lockstep::emulator::sass
