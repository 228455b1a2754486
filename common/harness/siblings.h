// SPDX-License-Identifier: Apache-2.0
// Kernels of one run beside each other. Where one takes more instructions than it needs and another
// of its template does not, what the lines take tells which of them makes the difference. And what
// a line does in a kernel that loses nothing by it is not its fault in another.
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
  // A launch of a function, of which nothing was found.
  void keep(const std::string& kernel, const std::string& function, const FoundIn& in,
            const Counts& counts);
  // Of the other kernels of its template, for as many elements and threads, the one whose name is
  // alike the longest.
  std::optional<Beside> of(const std::string& kernel, const FoundIn& in) const;
  // FoundIn::elsewhere, for a function: of others.
  std::map<std::pair<int, std::string>, double> sectors_beside(const std::string& function) const;

 private:
  using Key = std::tuple<std::string, int64_t, int64_t>;  // base_name(), elements, threads
  std::map<Key, std::vector<Beside>> kept_;
  // By base_name() of a function; line and metric.
  std::map<std::string, std::map<std::pair<int, std::string>, double>> sectors_;
};

}  // namespace lockstep
