// SPDX-License-Identifier: Apache-2.0
// A homework for tests of the harness: three kernels on vectors of eight.
#pragma once

#include <string>
#include <vector>

#include "problems/norm_problem.h"

namespace lockstep::harness_test {

class TestHomework : public NormProblem {
 public:
  TestHomework()
      : NormProblem({{"norm_group<8,8>", 8, 8, 0, true},
                     {"norm_group_u<8,8,4>", 8, 8, 4, true},
                     {"norm_base<8>", 8, 1, 0, false}}) {}
  std::string name() const override { return "hw99"; }
  std::vector<int> warp_sweep() const override { return {4, 8, 32}; }
};

}  // namespace lockstep::harness_test
