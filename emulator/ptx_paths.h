// SPDX-License-Identifier: Apache-2.0
// Whether a PTX block is on every way through another one, or beside it.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "emulator/profile.h"

namespace lockstep::emulator {

class PtxPaths {
 public:
  explicit PtxPaths(const std::vector<BlockProfile>& blocks);

  // Lanes can run block `by` and not block `block`: neither before it nor after it. Blocks of
  // different functions are aside of each other.
  bool aside(int block, int by);

 private:
  using Graph = std::vector<std::vector<int>>;
  static bool escapes(const Graph& graph, int from, int around);

  Graph next_, back_;
  std::map<std::pair<int, int>, bool> known_;
};

}  // namespace lockstep::emulator
