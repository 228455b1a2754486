// SPDX-License-Identifier: Apache-2.0
// Where the nodes of a ValueGraph stand in the source, and which threads executed them.
#pragma once

#include <map>
#include <vector>

#include "common/backend/backend.h"
#include "emulator/watch/value_graph.h"

namespace lockstep::emulator {

// Where an instruction of a node's function stands, or a call that led to it: the innermost that is
// not in a header of the toolkit. The lines that called that are added to *callers.
ValueStory::Line line_of(const ValueGraph& values, const ValueNode& node,
                         std::vector<int>* callers = nullptr);

// The node's block of the grid, and its warp: blocks before it times a block's, and its own number.
uint32_t block_of(const ValueGraph& values, const ValueNode& node);
uint32_t warp_of(const ValueGraph& values, const ValueNode& node);

FaultPlace place_of(const ValueGraph& values, const ValueNode& node);

// The lines of nodes that made something of others, as they were executed first. What only brings a
// parameter or a special register is left out.
std::vector<ValueStory::Line> lines_of(const ValueGraph& values,
                                       const std::vector<uint32_t>& nodes);

// How many of the nodes stand in each line, but for those that are left out above.
std::map<ValueStory::Line, int> line_counts(const ValueGraph& values,
                                            const std::vector<uint32_t>& nodes);

// The last test before the node that both threads did together; 0: there is none. By it they
// parted, where only the first comes to the node. Of each thread its tests, in their order.
uint32_t last_joint_test(const ValueGraph& values, const std::vector<uint32_t>& own,
                         const std::vector<uint32_t>& other, uint32_t node);

}  // namespace lockstep::emulator
