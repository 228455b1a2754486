// SPDX-License-Identifier: Apache-2.0
// How --trace shows what the variables of a line held.
#pragma once

#include <string>

#include "common/backend/line_trace.h"

namespace lockstep {

// A row for each turn, a column for each variable; where they are more than `width` columns of a
// terminal hold, several tables one below the other. Then what the signs mean that occur.
std::string trace_table(const LineTrace& trace, int width);

}  // namespace lockstep
