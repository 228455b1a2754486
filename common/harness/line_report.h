// SPDX-License-Identifier: Apache-2.0
// Which lines of the source cost most.
#pragma once

#include <string>

#include "common/backend/counts.h"
#include "common/harness/assignment.h"

namespace lockstep {

// The lines that execute the most warp instructions, at most `most` of them, one each: share of
// all, instructions per element and place, then the source text, quoted for a terminal of `width`
// columns. What a line moves stands behind: sectors of global memory a request (ld, st) or passes
// of shared memory, of so many that would do, and sectors of local memory. "" where nothing is
// known by line.
std::string costliest_lines(const Counts& counts, const UsefulWork& work, int width, int most = 8);

// The student's file as a whole, each line with its number, share and instructions per element,
// below what it moves, cut to `width` columns; "" where the file is not found.
std::string annotated_source(const Counts& counts, const UsefulWork& work,
                             const std::string& student_file, int width);

}  // namespace lockstep
