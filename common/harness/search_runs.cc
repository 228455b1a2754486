// SPDX-License-Identifier: Apache-2.0
// See search_runs.h.
#include "common/harness/search_runs.h"

#include <iterator>
#include <set>
#include <string>
#include <utility>

#include "common/base/error.h"
#include "common/harness/elsewhere.h"
#include "common/harness/opposed.h"

namespace lockstep {
namespace {

Job announced(const SearchRuns& runs, const FoundElsewhere& found) {
  runs.announce(found);
  return runs.job_of(found.launch);
}

void run_all(const SearchRuns& runs, const std::vector<FoundElsewhere>& found,
             Measurement* measurement) {
  std::vector<Job> jobs;
  for (const FoundElsewhere& one : found) jobs.push_back(announced(runs, one));
  measurement->run(jobs);
}

// One behind another, each where the ones before it led to a right result.
void run_opposed(const SearchRuns& runs, std::vector<OpposedLaunch> opposed, Opposing* opposing,
                 Measurement* measurement) {
  const auto give_up = [&](const std::string& kernel, const char* why) {
    for (const PlannedSearch& search : runs.plan.searches)
      if (search.counters && search.kernel == kernel)
        return measurement->report_fault({announced(runs, not_opposed(search))},
                                         KernelFault("unsupported", FaultPlace(), why));
  };
  constexpr int kDeepest = 3;
  std::set<std::string> kernels;
  for (const OpposedLaunch& one : opposed) kernels.insert(one.launch.kernel);
  try {
    for (int depth = 1; depth <= kDeepest && !opposed.empty(); depth++) {
      std::vector<FoundElsewhere> launches;
      for (const OpposedLaunch& one : opposed) launches.push_back({"", one.launch});
      run_all(runs, launches, measurement);
      std::vector<OpposedLaunch> right, once;
      for (size_t i = 0; i < opposed.size(); i++) {
        const Measurement::Outcome outcome = measurement->outcomes().at(i);
        if (outcome == Measurement::Outcome::kRight) right.push_back(std::move(opposed[i]));
        if (outcome == Measurement::Outcome::kCut && opposing->oppose_once(&opposed[i]))
          once.push_back(std::move(opposed[i]));
      }
      opposed = opposing->behind(right);
      std::move(once.begin(), once.end(), std::back_inserter(opposed));
    }
  } catch (const Error& error) {
    for (const std::string& kernel : kernels) give_up(kernel, error.what());
  }
  for (const std::string& kernel : measurement->ended_runner())
    give_up(kernel, "what executes it ended where a comparison was opposed");
}

}  // namespace

void run_searches(const SearchRuns& runs, Measurement* measurement) {
  const std::vector<PlannedSearch>& searches = runs.plan.searches;
  Opposing opposing(
      runs.backend, runs.assignment, runs.plan.launches,
      [&](const PlannedLaunch& one) { return measurement->counted(runs.job_of(one)); },
      [&](const PlannedLaunch& one) { return measurement->try_opposed(runs.job_of(one)); },
      [&](const std::string& kernel, uint32_t instruction) {
        return measurement->is_asked_in_small(kernel, instruction);
      });
  Elsewhere elsewhere =
      look_elsewhere(runs.backend, runs.assignment, searches, measurement->not_right(), &opposing);
  for (const auto& [launch, fault] : elsewhere.failed)
    measurement->report_fault({announced(runs, launch)}, fault);
  run_all(runs, elsewhere.found, measurement);
  run_opposed(runs, std::move(elsewhere.opposed), &opposing, measurement);
}

}  // namespace lockstep
