// SPDX-License-Identifier: Apache-2.0
// Is what a kernel wrote right? Pure functions over host memory. A NaN never passes, nor does an
// element that still holds the poison it had before the launch.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "common/harness/assignment.h"
#include "common/harness/record.h"

namespace lockstep {

// What outputs hold before a launch; a run of launches alternates between them. The first is a
// NaN, the second a number that no homework's input leads to.
inline constexpr uint32_t kPoison[2] = {0x7fedbeef, 0xcb7ea5a5};

inline constexpr int kMaxMismatchesShown = 5;

// An output array and what it should hold. `poison` is the pattern that it was filled with.
struct CheckedArray {
  std::string name;
  const Assignment::Expected* expected = nullptr;
  const float* got = nullptr;
  int64_t elements = 0;  // of `got`
  uint32_t poison = 0;
  // "vector 2, element 1" for an index; may be empty.
  std::function<std::string(int64_t)> describe;
};

// Status "correct" or "wrong", the first five mismatches, and a message that says how many
// elements of which array are wrong and what the first ones should have been.
CheckResult check_outputs(const std::vector<CheckedArray>& arrays);

// Where guard bytes (low zone, then high zone of the array) are not as they should be: status
// "guard" and a message; else "correct".
CheckResult check_guards(const std::string& array, const std::vector<uint8_t>& guards,
                         uint8_t guard_byte);

// Where an input has changed: status "input_changed" and a message; else "correct".
CheckResult check_input(const std::string& array, const std::vector<float>& before,
                        const std::vector<float>& after);

}  // namespace lockstep
