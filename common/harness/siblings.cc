// SPDX-License-Identifier: Apache-2.0
#include "common/harness/siblings.h"

#include <algorithm>

#include "common/backend/metric_names.h"
#include "common/harness/launch_plan.h"

namespace lockstep {

namespace {

double value_of(const LineCounts& line, const char* name) {
  const auto at = line.counts.find(name);
  return at == line.counts.end() ? 0 : at->second.value;
}

double a_request(const LineCounts& line, const char* sectors, const char* requests) {
  const double n = value_of(line, requests);
  return n > 0 ? value_of(line, sectors) / n : 0;
}

}  // namespace

void Siblings::keep(const std::string& kernel, const std::string& function, const FoundIn& in,
                    const Counts& counts) {
  constexpr double kWarp = 32;
  auto& sectors = sectors_[base_name(function)];
  for (const LineCounts& line : counts.lines)
    for (const auto& [moved, requests] :
         {std::pair(metric::kGlobalLoadSectors, metric::kGlobalLoadRequests),
          std::pair(metric::kGlobalStoreSectors, metric::kGlobalStoreRequests)})
      if (in.is_students(line.file)) {
        double& most = sectors[{line.line, moved}];
        most = std::max(most, a_request(line, moved, requests));
      }
  // Without goals nobody knows what it needs.
  if (!in.goal || !in.goal->same_problem || in.elements <= 0) return;
  Beside kept{kernel, {}};
  for (const LineCounts& line : counts.lines) {
    if (const double n = value_of(line, metric::kWarpInstructions);
        n > 0 && in.is_students(line.file))
      kept.instructions[line.line] += kWarp * n / double(in.elements);
  }
  kept_[{base_name(kernel), in.elements, in.threads}].push_back(std::move(kept));
}

std::map<std::pair<int, std::string>, double> Siblings::sectors_beside(
    const std::string& function) const {
  std::map<std::pair<int, std::string>, double> most;
  for (const auto& [other, sectors] : sectors_)
    for (const auto& [key, value] : sectors)
      if (other != base_name(function)) most[key] = std::max(most[key], value);
  return most;
}

std::optional<Beside> Siblings::of(const std::string& kernel, const FoundIn& in) const {
  const auto at = kept_.find({base_name(kernel), in.elements, in.threads});
  if (at == kept_.end()) return std::nullopt;
  const auto alike = [&](const Beside& other) {
    const auto [own, its] =
        std::mismatch(kernel.begin(), kernel.end(), other.kernel.begin(), other.kernel.end());
    return own - kernel.begin();
  };
  const Beside* found = nullptr;
  for (const Beside& other : at->second)
    if (other.kernel != kernel && (found == nullptr || alike(other) >= alike(*found)))
      found = &other;
  return found == nullptr ? std::nullopt : std::optional(*found);
}

}  // namespace lockstep
