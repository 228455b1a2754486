// SPDX-License-Identifier: Apache-2.0
#include "common/harness/index_set.h"

#include <fmt/format.h>

#include <vector>

namespace lockstep {
namespace {

struct Run {
  int64_t begin = 0, length = 0;
};

constexpr size_t kMostRuns = 3;

std::vector<Run> runs_of(int64_t n, const std::function<bool(int64_t)>& among) {
  std::vector<Run> runs;
  for (int64_t i = 0; i < n; i++) {
    if (!among(i)) continue;
    if (runs.empty() || runs.back().begin + runs.back().length != i) runs.push_back({i, 0});
    runs.back().length++;
  }
  return runs;
}

// The distance at which equal runs follow each other (the last may be cut); 0: they do not.
int64_t period_of(const std::vector<Run>& runs) {
  if (runs.size() < 3) return 0;
  const int64_t period = runs[1].begin - runs[0].begin;
  for (size_t i = 1; i < runs.size(); i++) {
    const bool last = i + 1 == runs.size();
    if (runs[i].begin - runs[i - 1].begin != period) return 0;
    if (runs[i].length != runs[0].length && !(last && runs[i].length < runs[0].length)) return 0;
  }
  return period;
}

}  // namespace

std::string describe_indices(int64_t n, const std::function<bool(int64_t)>& among,
                             const std::function<std::string(int64_t)>& name) {
  const std::vector<Run> runs = runs_of(n, among);
  if (runs.empty()) return {};
  const auto words = [&](const Run& run) {
    return run.length == 1 ? name(run.begin)
                           : name(run.begin) + " to " + name(run.begin + run.length - 1);
  };
  const Run& first = runs[0];
  if (runs.size() == 1) {
    if (first.length == n) return "all";
    if (first.begin + first.length == n && first.length > 1)
      return fmt::format("the last {}, from {} on", first.length, name(first.begin));
    if (first.begin == 0 && first.length > 1)
      return fmt::format("the first {}, up to {}", first.length, name(first.length - 1));
    return words(first);
  }
  if (const int64_t period = period_of(runs); period > 0) {
    const Run& last = runs.back();
    const bool to_end = last.begin + period >= n;
    return fmt::format("{} of every {}: {}, then again from {} {}", first.length, period,
                       words(first), name(runs[1].begin),
                       to_end ? "on" : "to " + name(last.begin + last.length - 1));
  }
  std::string out;
  for (size_t i = 0; i < runs.size() && i < kMostRuns; i++)
    out += (i > 0 ? ", " : "") + words(runs[i]);
  if (runs.size() > kMostRuns)
    out += runs.size() == kMostRuns + 1
               ? " and 1 more stretch"
               : fmt::format(" and {} more stretches", runs.size() - kMostRuns);
  return out;
}

}  // namespace lockstep
