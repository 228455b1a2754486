// SPDX-License-Identifier: Apache-2.0
// Kernels of one template beside each other: where one takes more instructions than it needs and
// another does not, what the lines take tells which of them makes the difference.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "common/backend/counts.h"
#include "common/harness/findings.h"

namespace lockstep {

class Siblings {
 public:
  // A launch of the kernel of which nothing was found. Without goals nobody knows what it needs.
  void keep(const std::string& kernel, const FoundIn& in, const Counts& counts);
  // Of the other kernels of its template, for as many elements and threads, the one whose name is
  // alike the longest.
  std::optional<Beside> of(const std::string& kernel, const FoundIn& in) const;

 private:
  using Key = std::tuple<std::string, int64_t, int64_t>;  // base_name(), elements, threads
  std::map<Key, std::vector<Beside>> kept_;
};

}  // namespace lockstep
