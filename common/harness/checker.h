// SPDX-License-Identifier: Apache-2.0
// Is what a kernel wrote right? Pure functions over host memory. A NaN never passes, nor does an
// element that still holds the poison it had before the launch.
#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "common/harness/assignment.h"
#include "common/harness/record.h"

namespace lockstep {

// What outputs hold before a launch; a run of launches alternates between them. The first is a
// NaN, the second a number that no homework's input leads to.
inline constexpr uint32_t kPoison[2] = {0x7fedbeef, 0xcb7ea5a5};

inline constexpr int kMaxMismatchesShown = 5;

// An array and what it should hold. `poison` is the pattern that it was filled with; nothing where
// it had an input.
struct CheckedArray {
  std::string name;
  const Assignment::Expected* expected = nullptr;
  const HostArray* got = nullptr;
  std::optional<uint32_t> poison;
  // "vector 2, element 1" for an index; may be empty.
  std::function<std::string(int64_t)> describe;
};

// An array of a case as the problem has it; the arguments must outlive it.
CheckedArray checked_array(const Assignment& assignment, const Case& c, const ArraySpec& spec,
                           const Assignment::Expected& expected, const HostArray& got,
                           uint32_t poison);

// False for NaN.
inline bool is_right(double got, double expected, double tolerance) {
  return std::fabs(got - expected) <= tolerance;
}
// Whether element i is what it should be. `i` is within both.
bool is_right_at(const Assignment::Expected& expected, const HostArray& got, size_t i);

// Elements that are not right, and those of them that still hold the poison.
struct Errors {
  int64_t errors = 0, unwritten = 0;
};
Errors count_errors(const CheckedArray& array);

// Status "correct" or "wrong", the first five mismatches, and a message that says how many
// elements of which array are wrong and what the first ones should have been.
CheckResult check_outputs(const std::vector<CheckedArray>& arrays);

// Where every wrong element of the array is what one of these says, or the same multiple of what it
// should be: "is " and the words; else "".
std::string confused_with(const CheckedArray& array, const std::vector<HostArray>& inputs,
                          const std::vector<Assignment::Confusion>& confusions);

// Where guard bytes (low zone, then high zone of the array) are not as they should be: status
// "guard" and a message; else "correct".
CheckResult check_guards(const std::string& array, const std::vector<uint8_t>& guards,
                         uint8_t guard_byte);

// Where an input has changed: status "input_changed" and a message; else "correct".
CheckResult check_input(const std::string& array, const HostArray& before, const HostArray& after);

}  // namespace lockstep
