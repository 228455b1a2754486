// SPDX-License-Identifier: Apache-2.0
// A CUPTI without a card: it records what is called and answers what a test tells it to, so that
// refusals, dropped ranges and the like can be tried. Counters have the value of their range
// number plus one, times ten.
#pragma once

#include <string>
#include <vector>

#include "common/cuda/cupti.h"

#if LOCKSTEP_HAS_CUDA

namespace lockstep::cuda {

struct FakeCupti {
  // What it answers.
  CUptiResult enable = CUPTI_SUCCESS, start = CUPTI_SUCCESS, initialize = CUPTI_SUCCESS;
  CUpti_Profiler_Support_Level virtual_gpu = CUPTI_PROFILER_CONFIGURATION_SUPPORTED;
  int busy_starts = 0;  // so many starts answer HARDWARE_BUSY first
  size_t passes = 3;
  size_t dropped = 0;
  size_t ranges_lost = 0;  // at the end of every session
  bool nan = false;
  // What was called.
  int enabled = 0, disabled = 0, started = 0;
  size_t passes_done = 0;
  size_t ranges_configured = 0;
  std::vector<std::string> pushed;  // in this session's last pass
};

// The one that the functions of fake_cupti() speak for.
FakeCupti& fake();
const Cupti& fake_cupti();

}  // namespace lockstep::cuda

#endif  // LOCKSTEP_HAS_CUDA
