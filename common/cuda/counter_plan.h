// SPDX-License-Identifier: Apache-2.0
// From the metrics that are asked for to the counters that one chip must collect for them, and
// from the values of these counters back to the metrics.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "common/backend/counts.h"
#include "common/cuda/metric_alias.h"
#include "common/cuda/profiler_host.h"

#if LOCKSTEP_HAS_CUDA

namespace lockstep::cuda {

struct CounterPlan {
  struct Entry {
    std::string metric;
    std::vector<CounterRecipe> recipes;  // those that the chip can follow, best first
    std::string otherwise;
  };
  std::vector<Entry> entries;
  std::vector<std::string> counters;               // all that the entries need, each once
  std::map<std::string, std::string> unavailable;  // metrics without an entry, and why
};

// `scratch` answers whether the chip has a counter; its set is of no use afterwards.
CounterPlan plan_counters(ProfilerHost* scratch, const std::vector<std::string>& metrics);

// The metrics of a plan from the values of its counters.
Counts read_counts(const CounterPlan& plan, const CounterValues& values);

}  // namespace lockstep::cuda

#endif  // LOCKSTEP_HAS_CUDA
