// SPDX-License-Identifier: Apache-2.0
// The problem of hw01 and hw02: subtract from each element of n_l vectors of d_l elements the
// average of its vector. A homework derives from this and lists its kernels.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/harness/assignment.h"

namespace lockstep {

// One kernel: its name as instantiated and what it is instantiated with.
struct NormKernel {
  std::string name;    // "norm_group_u<8,8,4>"
  int d_l = 0;         // elements of a vector
  int group_size = 1;  // threads that share a vector
  int unroll = 0;      // vectors of a group in one iteration; 0: not unrolled
  bool by_default = true;
};

class NormProblem : public Assignment {
 public:
  explicit NormProblem(std::vector<NormKernel> kernels) : kernels_(std::move(kernels)) {}

  int64_t default_bytes(const DeviceInfo& device, bool emulated) const override;
  std::vector<Case> cases(const ProblemSize& size) const override;
  std::string problem_key(const Case& c) const override;
  std::string signature(const Case& c, const std::string& kernel) const override;
  std::vector<ArraySpec> arrays(const Case& c) const override;
  std::vector<HostArray> make_inputs(const Case& c, uint64_t seed) const override;
  std::vector<Expected> reference(const Case& c,
                                  const std::vector<HostArray>& inputs) const override;
  std::vector<Argument> arguments(const Case& c,
                                  const std::vector<BufferId>& buffers) const override;
  UsefulWork work(const Case& c) const override;
  double utilization(const Case& c, const Sequence& launches) const override;
  std::vector<Confusion> confusions(const Case& c) const override;
  std::string describe_index(const Case& c, const ArraySpec& array, int64_t index) const override;

 private:
  std::vector<NormKernel> kernels_;
};

}  // namespace lockstep
