// SPDX-License-Identifier: Apache-2.0
// A block of machine code: how it begins, and rounds in which each of its warps has a turn.
#pragma once

#include <cstdint>

#include "emulator/sass/code.h"

namespace lockstep::emulator::sass {

void start_block(Block& block, Worker& worker, uint64_t linear);

enum class RoundResult : uint8_t { kDone, kStalls, kGoesOn };
// A turn of each warp, of Worker::turn instructions. Throws KernelFault where a check fails or the
// launch has used up its steps, NotExecuted where it comes to what cannot be executed.
RoundResult run_round(Block& block, Worker& worker, bool backward);

}  // namespace lockstep::emulator::sass
