// SPDX-License-Identifier: Apache-2.0
// Instructions that launches of a kind may take: those of a kernel with all its instances, and all
// together. So one kernel uses up nothing of another's, and many of them not all day.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>

#include "common/harness/launch_plan.h"

namespace lockstep {

class StepBounds {
 public:
  StepBounds(uint64_t of_each, uint64_t of_all) : of_each_(of_each), of_all_(of_all) {}

  uint64_t left(const std::string& kernel) const {
    return std::min(of_each_ - std::min(of_each_, taken(kernel)), of_all_ - in_all_);
  }
  uint64_t taken(const std::string& kernel) const {
    const auto found = taken_.find(base_name(kernel));
    return found == taken_.end() ? 0 : found->second;
  }
  void take(const std::string& kernel, uint64_t steps) {
    taken_[base_name(kernel)] += steps;
    in_all_ = std::min(of_all_, in_all_ + steps);
  }
  void take_all() { in_all_ = of_all_; }

 private:
  const uint64_t of_each_, of_all_;
  std::map<std::string, uint64_t> taken_;  // by base_name()
  uint64_t in_all_ = 0;
};

}  // namespace lockstep
