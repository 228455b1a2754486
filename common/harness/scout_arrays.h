// SPDX-License-Identifier: Apache-2.0
// The arrays of launches that are tried, not checked.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/backend/backend.h"
#include "common/harness/assignment.h"

namespace lockstep {

// Large enough for every launch that is tried. What is computed with is one number, drawn; what are
// places, or whole numbers, are 0.
class ScoutArrays {
 public:
  ScoutArrays(Backend& backend, uint64_t seed)
      : backend_(backend), number_(0x3f800000 | (static_cast<uint32_t>(seed >> 32) & 0x80ffffff)) {}
  ~ScoutArrays() {
    for (const BufferId id : ids_) backend_.release(id);
  }
  ScoutArrays(const ScoutArrays&) = delete;
  ScoutArrays& operator=(const ScoutArrays&) = delete;

  // Whether they can be so large; from then on they are.
  bool can_hold(const std::vector<ArraySpec>& arrays) {
    size_t all = 0;
    for (const ArraySpec& array : arrays) all += array.bytes();
    if (all > kMostBytes) return false;
    specs_.resize(std::max(specs_.size(), arrays.size()));
    for (size_t i = 0; i < arrays.size(); i++)
      if (specs_[i].bytes() <= arrays[i].bytes()) specs_[i] = arrays[i];
    return true;
  }
  // Allocated when they are first asked for.
  const std::vector<BufferId>& buffers() {
    for (size_t i = ids_.size(); i < specs_.size(); i++) {
      const size_t bytes = specs_[i].bytes();
      ids_.push_back(backend_.allocate({"", bytes}));
      // Twice in eight bytes it is a number as well, for one in double precision.
      if (specs_[i].type == ElementType::kF32 || specs_[i].type == ElementType::kF64)
        backend_.fill(ids_.back(), 0, bytes, number_);
    }
    return ids_;
  }

 private:
  static constexpr size_t kMostBytes = size_t{256} << 20;  // of a problem
  Backend& backend_;
  const uint32_t number_;  // 1 to 8, or below zero
  std::vector<ArraySpec> specs_;
  std::vector<BufferId> ids_;
};

}  // namespace lockstep
