// SPDX-License-Identifier: Apache-2.0
#include "common/harness/siblings.h"

#include <algorithm>

#include "common/backend/metric_names.h"
#include "common/harness/launch_plan.h"

namespace lockstep {

void Siblings::keep(const std::string& kernel, const std::string& function, const FoundIn& in,
                    const Counts& counts) {
  constexpr double kWarp = 32;
  auto& sectors = sectors_[base_name(function)];
  Beside kept{kernel, {}};
  for (const LineCounts& line : counts.lines) {
    if (!in.is_students(line.file)) continue;
    for (const auto& [moved, requests] :
         {std::pair(metric::kGlobalLoadSectors, metric::kGlobalLoadRequests),
          std::pair(metric::kGlobalStoreSectors, metric::kGlobalStoreRequests)}) {
      double& most = sectors[{line.line, moved}];
      most = std::max(most, line.of(moved) / std::max(1.0, line.of(requests)));
    }
    kept.instructions[line.line] +=
        kWarp * line.of(metric::kWarpInstructions) / double(std::max<int64_t>(in.elements, 1));
  }
  // Without goals nobody knows what it needs.
  if (in.goal && in.goal->same_problem && in.elements > 0)
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
