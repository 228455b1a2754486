// SPDX-License-Identifier: Apache-2.0
// Homework 1, the instructor's part: which kernels there are and which of them a plain ./hw01
// runs. problems/norm_problem.h has the problem: inputs, reference, useful work.
#include "common/harness/kernel_list.h"
#include "problems/norm_problem.h"

namespace lockstep {
namespace {

// A plain run shows norm_base, a group that is as large as a vector and, for the longer vectors,
// one of a quarter of that; for 32 one of an eighth, too, where it shows whether the compiler knows
// the number of turns. --kernel shows the others.
bool shown_by_default(int d_l, int group_size) {
  return group_size == 1 || group_size == d_l || (d_l >= 16 && group_size == d_l / 4) ||
         (d_l == 32 && group_size == 4);
}

std::vector<NormKernel> norm_kernels() {
  const std::vector<ListedKernel> listed = {
#define KERNEL(name, ...) listed_kernel(#name, #__VA_ARGS__),
#include "hw01/instances.cu"
  };
  std::vector<NormKernel> kernels;
  for (const ListedKernel& kernel : listed) {
    const int d_l = static_cast<int>(kernel.number(0));
    const bool base = kernel.function == "norm_base";
    const int group_size = base ? 1 : static_cast<int>(kernel.number(1));
    kernels.push_back({kernel.name, d_l, group_size, 0, shown_by_default(d_l, group_size)});
  }
  return kernels;
}

class Homework1 : public NormProblem {
 public:
  Homework1() : NormProblem(norm_kernels()) {}
  std::string name() const override { return "hw01"; }
  std::vector<int> warp_sweep() const override { return {1, 2, 4, 8, 12, 16, 24, 32}; }
};

}  // namespace

std::unique_ptr<Assignment> make_assignment() { return std::make_unique<Homework1>(); }

}  // namespace lockstep
