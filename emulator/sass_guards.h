// SPDX-License-Identifier: Apache-2.0
// For how many lanes the guard of a SASS instruction is on.
#pragma once

#include "emulator/profile.h"
#include "emulator/ptx_paths.h"
#include "emulator/sass_flow.h"
#include "emulator/sass_map.h"

namespace lockstep::emulator {

class SassGuards {
 public:
  SassGuards(const SassMap& map, const SassFlow& flow, const KernelProfile& profile);

  // Thread instructions of instruction i of block b, all of its executions together.
  double lanes_on(int i, int b);

 private:
  double told_lanes(int i, int b);
  double as_branch(int i, int b) const;
  double compared(int i, int b) const;
  double picked(int i, int b) const;
  double corrected(int i, int b) const;
  int writer_of_guard(int i, int b) const;
  double between(int i, int b);

  const SassMap& map_;
  const SassFlow& flow_;
  const KernelProfile& p_;
  PtxPaths paths_;
};

}  // namespace lockstep::emulator
