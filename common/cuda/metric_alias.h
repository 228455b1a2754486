// SPDX-License-Identifier: Apache-2.0
// Which of the card's counters make up a metric of common/backend/metric_names.h. The names of
// counters differ from chip to chip, so a metric has recipes, best first; the chip decides which
// can be used (profiler_host.h), the values decide which holds. No CUDA type appears here.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace lockstep::cuda {

struct CounterTerm {
  std::string counter;  // as CUPTI names it, rollup included: "smsp__inst_executed.sum"
  double factor = 1;
};

// The value is the sum of the terms. It holds only where every sum in `zero` comes out as 0.
struct CounterRecipe {
  std::vector<CounterTerm> terms;
  std::vector<std::vector<CounterTerm>> zero;

  std::vector<std::string> counters() const;  // of terms and zero, each once
};

struct MetricAlias {
  std::string metric;
  std::vector<CounterRecipe> recipes;
  std::string otherwise;  // why a metric has no value where no recipe holds
};

// One for each raw metric of metrics.h, also for those that no counter gives.
const std::vector<MetricAlias>& metric_aliases();
// nullptr: no such metric.
const MetricAlias* find_alias(const std::string& metric);

// Values by counter. A counter that is missing or NaN makes recipes that use it not hold.
using CounterValues = std::map<std::string, double>;

struct RecipeResult {
  bool ok = false;
  double value = 0;
  std::string why;  // where not ok
};
// The first of the recipes that holds.
RecipeResult evaluate(const std::vector<CounterRecipe>& recipes, const CounterValues& values,
                      const std::string& otherwise);

}  // namespace lockstep::cuda
