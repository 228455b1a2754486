// SPDX-License-Identifier: Apache-2.0
// See small_checks.h.
#include "common/harness/small_checks.h"

#include <algorithm>
#include <optional>
#include <set>

#include "common/harness/launch_plan.h"

namespace lockstep {
namespace {

constexpr int64_t kMuchSmaller = 4;  // so many times, at least, are checks before a measurement
constexpr int64_t kMostOperations = 4'000'000;  // of floating point, of a check's useful work

// A check of the job's kernel on a smaller problem; none where that is not much smaller, or of a
// size that the homework does not have.
std::optional<Job> check_of(const Assignment& assignment, const Job& job, int64_t vectors,
                            int64_t blocks, int warps) {
  for (const Case& c : assignment.cases({0, vectors})) {
    if (c.kernel != job.c.kernel || c.library) continue;
    const UsefulWork work = assignment.work(c);
    if (work.elements > assignment.work(job.c).elements / kMuchSmaller ||
        work.fp_operations > kMostOperations)
      continue;
    Job check = job;
    check.c = c;
    check.vectors = vectors;
    check.counters = check.times = false;
    check.fresh_inputs = check.quiet = true;
    if (job.warps > 0) check.blocks = blocks, check.warps = warps;
    return check;
  }
  return std::nullopt;
}

}  // namespace

std::vector<Job> checks_before(const Assignment& assignment, const Options& options,
                               const std::vector<Job>& jobs) {
  constexpr int64_t kAwkward[] = {1, 37, 1000};
  constexpr int64_t kOfAWarp = 2400;  // elements, a warp in each of two blocks
  std::vector<Job> checks;
  if (options.vectors || options.lane_order != 0) return checks;
  const auto add = [&](const auto& make) {
    try {
      if (std::optional<Job> check = make()) checks.push_back(std::move(*check));
    } catch (const Error&) {
      return;  // a size that the homework refuses
    }
  };
  Sizes sizes(assignment);
  std::set<std::string> seen;
  for (const Job& job : jobs) {
    if (job.c.library) continue;
    if (seen.insert(job.c.kernel).second)
      for (const int64_t vectors : kAwkward)
        add([&] { return check_of(assignment, job, vectors, 3, 5); });
    const int64_t elements = std::min<int64_t>(kOfAWarp * std::max(job.warps, 8),
                                               assignment.work(job.c).elements / kMuchSmaller);
    if (elements > 0)
      add([&] {
        return check_of(assignment, job, sizes.least(job.c.kernel, elements), 2, job.warps);
      });
  }
  return checks;
}

}  // namespace lockstep
