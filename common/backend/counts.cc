// SPDX-License-Identifier: Apache-2.0
// Names of tiers, and look-up of a count. See counts.h.
#include "common/backend/counts.h"

namespace lockstep {

const char* to_string(Tier tier) {
  switch (tier) {
    case Tier::kMeasured:
      return "measured";
    case Tier::kExact:
      return "exact";
    case Tier::kPredicted:
      return "predicted";
  }
  return "unknown";
}

const Count* Counts::find(const std::string& name) const {
  const auto found = values.find(name);
  return found == values.end() ? nullptr : &found->second;
}

}  // namespace lockstep
