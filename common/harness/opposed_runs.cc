// SPDX-License-Identifier: Apache-2.0
#include "common/harness/opposed_runs.h"

#include <iterator>
#include <set>
#include <string>
#include <utility>

#include "common/base/error.h"
#include "common/harness/elsewhere.h"

namespace lockstep {

void run_opposed(std::vector<OpposedLaunch> opposed, const std::vector<PlannedSearch>& searches,
                 const std::function<Job(const FoundElsewhere&)>& announce, Opposing* opposing,
                 Measurement* measurement) {
  const auto give_up = [&](const std::string& kernel, const char* why) {
    for (const PlannedSearch& search : searches)
      if (search.counters && search.kernel == kernel)
        return measurement->report_fault({announce(not_opposed(search))},
                                         KernelFault("unsupported", FaultPlace(), why));
  };
  constexpr int kDeepest = 3;
  std::set<std::string> kernels;
  for (const OpposedLaunch& one : opposed) kernels.insert(one.launch.kernel);
  try {
    for (int depth = 1; depth <= kDeepest && !opposed.empty(); depth++) {
      std::vector<Job> launches;
      for (const OpposedLaunch& one : opposed) launches.push_back(announce({"", one.launch}));
      measurement->run(launches);
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
  for (const std::string& kernel : measurement->cut_short())
    give_up(kernel, "what executes it ended where a comparison was opposed");
}

}  // namespace lockstep
