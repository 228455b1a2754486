// SPDX-License-Identifier: Apache-2.0
// What makes a right kernel slow, as far as its counts by line show it: the lines to look at.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/backend/counts.h"

namespace lockstep {

// A sentence each, "hw02.cu:95: ...", the costliest first, at most `most`. `doubles`: some array of
// the case has double precision; `writable`: bytes that there are to be written. None where nothing
// is known by line.
std::vector<std::string> findings(const Counts& counts, int64_t writable, bool doubles,
                                  const std::string& student_file, size_t most = 3);

}  // namespace lockstep
