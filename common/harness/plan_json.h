// SPDX-License-Identifier: Apache-2.0
// A planned launch as JSON, for whoever keeps it among other things. The fields are told in
// plan_file.h.
#pragma once

#include <nlohmann/json.hpp>

#include "common/harness/plan_file.h"

namespace lockstep {

nlohmann::json json_of(const PlannedLaunch& launch);
// Throws nlohmann::json::exception where it is none.
PlannedLaunch planned_launch(const nlohmann::json& item);

}  // namespace lockstep
