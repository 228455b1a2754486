// SPDX-License-Identifier: Apache-2.0
// Joins of a kernel that the SASS contradicts. joins.h tells where lanes meet from the PTX alone; a
// branch may meet sooner (cases of a switch that fall through meet in the case that both come to)
// or later (a switch into a loop: the loop's turns are apart), as BSSY and BSYNC tell.
#pragma once

#include <cstdint>
#include <vector>

#include "emulator/code/cfg.h"
#include "emulator/code/joins.h"
#include "emulator/code/sync_hints.h"

namespace lockstep::emulator {

// lines: by instruction, of the PTX text. Where the SASS does not tell, a join stays as it is.
void correct_joins(const Cfg& cfg, const std::vector<InstructionFlow>& flows,
                   const std::vector<uint32_t>& lines, const SyncHints& syncs, Joins* joins);

}  // namespace lockstep::emulator
