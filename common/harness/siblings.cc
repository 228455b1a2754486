// SPDX-License-Identifier: Apache-2.0
#include "common/harness/siblings.h"

#include <algorithm>

#include "common/backend/metric_names.h"
#include "common/harness/launch_plan.h"

namespace lockstep {

void Siblings::keep(const std::string& kernel, const FoundIn& in, const Counts& counts) {
  constexpr double kWarp = 32;
  if (!in.goal || !in.goal->same_problem || in.elements <= 0) return;
  Beside kept{kernel, {}};
  for (const LineCounts& line : counts.lines) {
    const auto count = line.counts.find(metric::kWarpInstructions);
    if (in.is_students(line.file) && count != line.counts.end())
      kept.instructions[line.line] += kWarp * count->second.value / double(in.elements);
  }
  kept_[{base_name(kernel), in.elements, in.threads}].push_back(std::move(kept));
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
