// SPDX-License-Identifier: Apache-2.0
// The cold ways of BRA.DIV: a group of lanes that comes to a .sync operation without all that its
// mask names waits at a WARPSYNC.COLLECTIVE, and what stands between that and its ENDCOLLECTIVE is
// executed once for all who meet there, at the place of one of them; the wait is issued once more
// for every group that finds others there (all as seen on an H200).
#pragma once

#include "emulator/sass_flow.h"

namespace lockstep::emulator {

// Moves such groups from the short way to the cold one. Where they cannot be told, says so in
// flow->not_known.
void count_collectives(const SassMap& map, const KernelProfile& profile, SassFlow* flow);

}  // namespace lockstep::emulator
