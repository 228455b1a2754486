// SPDX-License-Identifier: Apache-2.0
// How many processors this process may use: those of a container's or of taskset's share only.
#pragma once

#include <sched.h>

#include <algorithm>
#include <thread>

namespace lockstep {

inline int processors() {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  if (sched_getaffinity(0, sizeof allowed, &allowed) == 0) return CPU_COUNT(&allowed);
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

}  // namespace lockstep
