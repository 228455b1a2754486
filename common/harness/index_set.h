// SPDX-License-Identifier: Apache-2.0
// Which elements of an array, in words: "the last 24", "60 of every 120, from the 61st on".
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace lockstep {

// Of elements 0 to n - 1 those for which `among` holds. name(i) is an element's: "l_out[3]", or
// with what it means. "": none of them.
std::string describe_indices(int64_t n, const std::function<bool(int64_t)>& among,
                             const std::function<std::string(int64_t)>& name);

}  // namespace lockstep
