// SPDX-License-Identifier: Apache-2.0
// Homework 2, the instructor's part: which kernels there are and which of them a plain ./hw02
// runs. problems/norm_problem.h has the problem: inputs, reference, useful work.
// instances.cu has the same list of kernels for the compiler.
#include <fmt/format.h>

#include "problems/norm_problem.h"

namespace lockstep {
namespace {

struct Shape {
  int d_l, group_size;
  bool by_default;
};

// Vectors of one load a thread are what the homework is about. The other shapes are for whoever
// asks for them with --kernel, the grader among them.
constexpr Shape kShapes[] = {
    {8, 8, true}, {32, 32, true}, {8, 4, false}, {16, 16, false}, {32, 8, false}};
constexpr int kUnrollDegrees[] = {1, 2, 4, 8};

std::vector<NormKernel> kernels() {
  std::vector<NormKernel> list;
  for (const Shape& s : kShapes) {
    list.push_back({fmt::format("norm_group<{},{}>", s.d_l, s.group_size), s.d_l, s.group_size, 0,
                    s.by_default});
    for (const int unroll : kUnrollDegrees)
      list.push_back({fmt::format("norm_group_u<{},{},{}>", s.d_l, s.group_size, unroll), s.d_l,
                      s.group_size, unroll, s.by_default});
  }
  return list;
}

class Homework2 : public NormProblem {
 public:
  Homework2() : NormProblem(kernels()) {}
  std::string name() const override { return "hw02"; }
  std::vector<int> warp_sweep() const override { return {4, 8, 12, 16, 24, 32}; }
};

}  // namespace

std::unique_ptr<Assignment> make_assignment() { return std::make_unique<Homework2>(); }

}  // namespace lockstep
