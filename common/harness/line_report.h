// SPDX-License-Identifier: Apache-2.0
// Which lines of the source cost most.
#pragma once

#include <string>

#include "common/backend/counts.h"
#include "common/harness/assignment.h"

namespace lockstep {

// The lines that execute the most warp instructions, at most `most` of them, one each: share of
// all, instructions per element and place, then the source text, quoted for a terminal of `width`
// columns. "" where nothing is known by line.
std::string costliest_lines(const Counts& counts, const UsefulWork& work, int width, int most = 8);

}  // namespace lockstep
