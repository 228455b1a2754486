// SPDX-License-Identifier: Apache-2.0
// Choosing counters for a chip: see counter_plan.h.
#include "common/cuda/counter_plan.h"

#if LOCKSTEP_HAS_CUDA

#include <algorithm>

namespace lockstep::cuda {
namespace {

class Chip {
 public:
  explicit Chip(ProfilerHost* host) : host_(*host) {}

  bool has(const std::string& counter) {
    auto [at, fresh] = known_.try_emplace(counter, false);
    if (fresh) at->second = host_.add({counter});
    return at->second;
  }
  bool has_all(const std::vector<std::string>& counters) {
    return std::all_of(counters.begin(), counters.end(),
                       [this](const std::string& counter) { return has(counter); });
  }

 private:
  ProfilerHost& host_;
  std::map<std::string, bool> known_;
};

// Recipes up to the first that always holds: none after it can be reached.
std::vector<CounterRecipe> usable(const MetricAlias& alias, Chip* chip) {
  std::vector<CounterRecipe> recipes;
  for (const CounterRecipe& recipe : alias.recipes) {
    if (!chip->has_all(recipe.counters())) continue;
    recipes.push_back(recipe);
    if (recipe.zero.empty()) break;
  }
  return recipes;
}

}  // namespace

CounterPlan plan_counters(ProfilerHost* scratch, const std::vector<std::string>& metrics) {
  CounterPlan plan;
  Chip chip(scratch);
  for (const std::string& metric : metrics) {
    const MetricAlias* alias = find_alias(metric);
    if (alias == nullptr) {
      plan.unavailable[metric] = "no counter gives it";
      continue;
    }
    std::vector<CounterRecipe> recipes = usable(*alias, &chip);
    if (recipes.empty()) {
      plan.unavailable[metric] =
          alias->recipes.empty() ? alias->otherwise : "this GPU has no counter for it";
      continue;
    }
    for (const CounterRecipe& recipe : recipes) {
      for (const std::string& counter : recipe.counters()) {
        if (std::find(plan.counters.begin(), plan.counters.end(), counter) == plan.counters.end()) {
          plan.counters.push_back(counter);
        }
      }
    }
    plan.entries.push_back({metric, std::move(recipes), alias->otherwise});
  }
  return plan;
}

Counts read_counts(const CounterPlan& plan, const CounterValues& values) {
  Counts counts;
  counts.unavailable = plan.unavailable;
  for (const CounterPlan::Entry& entry : plan.entries) {
    RecipeResult result = evaluate(entry.recipes, values, entry.otherwise);
    if (result.ok) {
      counts.values[entry.metric] = Count{result.value, Tier::kMeasured};
    } else {
      counts.unavailable[entry.metric] = result.why;
    }
  }
  return counts;
}

}  // namespace lockstep::cuda

#endif  // LOCKSTEP_HAS_CUDA
