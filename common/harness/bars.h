// SPDX-License-Identifier: Apache-2.0
// The bar graph at the end of a table's row: how busy three resources were.
#pragma once

#include <string>

#include "common/harness/metrics.h"

namespace lockstep {

// A bar of round(fraction * width) characters for each resource, drawn over each other, the
// shorter ones in front: so the right end of each is seen, and what lies beyond another is busier.
// A bar longer than the width is cut and ends in '>'. Resources that are not known have none.
std::string draw_bars(const Busy& busy, int width);

// "=== Util: FP++ Insn-- L2** =====", exactly `width` long; "" where that is too narrow for it.
std::string bars_heading(int width, bool data_is_in_memory);

}  // namespace lockstep
