// SPDX-License-Identifier: Apache-2.0
// Homework 1, the instructor's part: which kernels there are and which of them a plain ./hw01
// runs. problems/norm_problem.h has the problem: inputs, reference, useful work.
// instances.cu has the same list of kernels for the compiler.
#include <fmt/format.h>

#include "problems/norm_problem.h"

namespace lockstep {
namespace {

constexpr int kVectorLengths[] = {4, 8, 16, 32};

// A plain run shows norm_base, a group that is as large as a vector and, for the longer vectors,
// one of a quarter of that; --kernel shows the others.
bool shown_by_default(int d_l, int group_size) {
  return group_size == d_l || (d_l >= 16 && group_size == d_l / 4);
}

std::vector<NormKernel> kernels() {
  std::vector<NormKernel> list;
  for (const int d_l : kVectorLengths) {
    list.push_back({fmt::format("norm_base<{}>", d_l), d_l, 1, 0, true});
    for (int group_size = 2; group_size <= d_l; group_size *= 2)
      list.push_back({fmt::format("norm_group<{},{}>", d_l, group_size), d_l, group_size, 0,
                      shown_by_default(d_l, group_size)});
  }
  return list;
}

class Homework1 : public NormProblem {
 public:
  Homework1() : NormProblem(kernels()) {}
  std::string name() const override { return "hw01"; }
  std::vector<int> warp_sweep() const override { return {1, 2, 4, 8, 12, 16, 24, 32}; }
};

}  // namespace

std::unique_ptr<Assignment> make_assignment() { return std::make_unique<Homework1>(); }

}  // namespace lockstep
