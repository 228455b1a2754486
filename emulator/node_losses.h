// SPDX-License-Identifier: Apache-2.0
// What was lost of the values on the way to a result.
#pragma once

#include <vector>

#include "common/backend/value_story.h"
#include "emulator/watch/value_graph.h"

namespace lockstep::emulator {

// By line, as the nodes were executed first; of a line the first loss, or where sums cancel the
// worst, with all that rounding took there.
std::vector<ValueStory::Loss> losses_of(const ValueGraph& values,
                                        const std::vector<uint32_t>& nodes);

}  // namespace lockstep::emulator
