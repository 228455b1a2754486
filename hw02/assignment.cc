// SPDX-License-Identifier: Apache-2.0
// Homework 2, the instructor's part: which kernels there are and which of them a plain ./hw02
// runs. problems/norm_problem.h has the problem: inputs, reference, useful work.
#include "common/harness/kernel_list.h"
#include "problems/norm_problem.h"

namespace lockstep {
namespace {

// Vectors of one load a thread are what the homework is about. The other shapes are for whoever
// asks for them with --kernel, the grader among them.
bool shown_by_default(int d_l, int group_size) {
  return d_l == group_size && (d_l == 8 || d_l == 32);
}

std::vector<NormKernel> norm_kernels() {
  const std::vector<ListedKernel> listed = {
#define KERNEL(name, ...) listed_kernel(#name, #__VA_ARGS__),
#include "hw02/instances.cu"
  };
  std::vector<NormKernel> kernels;
  for (const ListedKernel& kernel : listed) {
    const int d_l = static_cast<int>(kernel.number(0));
    const int group_size = static_cast<int>(kernel.number(1));
    const int unroll = kernel.function == "norm_group_u" ? static_cast<int>(kernel.number(2)) : 0;
    kernels.push_back({kernel.name, d_l, group_size, unroll, shown_by_default(d_l, group_size)});
  }
  return kernels;
}

class Homework2 : public NormProblem {
 public:
  Homework2() : NormProblem(norm_kernels()) {}
  std::string name() const override { return "hw02"; }
  std::vector<int> warp_sweep() const override { return {4, 8, 12, 16, 24, 32}; }
};

}  // namespace

std::unique_ptr<Assignment> make_assignment() { return std::make_unique<Homework2>(); }

}  // namespace lockstep
