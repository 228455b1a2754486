// SPDX-License-Identifier: Apache-2.0
// What the author of a homework writes (hwNN/assignment.cc): the problem, its inputs, the
// reference, the kernels and the useful work. The harness (homework_main.h) does all the rest.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/backend/backend.h"

namespace lockstep {

// One kernel on one problem, the unit that the table gives a heading and a block of rows.
struct Case {
  std::string kernel;  // demangled name: "norm_group_u<8,8,4>"
  std::string label;   // for the heading: "d_l 8, unroll degree 4, n_l 1000"
  std::vector<std::pair<std::string, int64_t>> parameters;  // d_l, group_size, unroll, n_l ...
  bool by_default = true;                            // false: run only where --kernel names it
  int64_t parameter(const std::string& name) const;  // throws where there is none
};

// An array of floats that the kernel is given.
struct ArraySpec {
  std::string name;  // the student's name for it: "l_in"
  size_t elements = 0;
  bool output = false;
};

// How large the input is to be: in bytes, or in vectors (the problem's own unit) where given.
struct ProblemSize {
  int64_t bytes = 0;
  std::optional<int64_t> vectors;
};

struct UsefulWork {
  int64_t elements = 0;       // E: the I/el denominator is E / 32 warp instructions
  int64_t bytes_read = 0;     // ideal, N*R's denominator
  int64_t bytes_written = 0;  // ideal, N*W's denominator
  int64_t fp_operations = 0;  // a multiply-add is one
  int64_t load_stores = 0;    // for the bar graph's '-'
};

class Assignment {
 public:
  virtual ~Assignment() = default;
  virtual std::string name() const = 0;  // "hw02"
  // Bytes of input when none is asked for. The emulator's is small enough for a laptop.
  virtual int64_t default_bytes(const DeviceInfo& device, bool emulated) const = 0;
  virtual std::vector<int> warp_sweep() const = 0;  // warps per block when 0 or absent
  // All that the homework can launch. Throws Error where the kernels cannot take that size.
  virtual std::vector<Case> cases(const ProblemSize& size) const = 0;
  // Cases with equal keys share inputs and reference; by default, those with equal parameters.
  virtual std::string problem_key(const Case& c) const;
  // KernelInfo::signature that the kernel must have; empty: any.
  virtual std::string signature(const Case& c) const;
  virtual std::vector<ArraySpec> arrays(const Case& c) const = 0;
  // Fills the inputs, in the order of arrays() without the outputs, from the seed alone.
  virtual std::vector<std::vector<float>> make_inputs(const Case& c, uint64_t seed) const = 0;
  // In double; one vector an output array, with the tolerance of each element beside it.
  struct Expected {
    std::vector<double> values;
    std::vector<double> tolerance;
  };
  virtual std::vector<Expected> reference(const Case& c,
                                          const std::vector<std::vector<float>>& inputs) const = 0;
  // Kernel arguments; buffers come in the order of arrays().
  virtual std::vector<Argument> arguments(const Case& c,
                                          const std::vector<BufferId>& buffers) const = 0;
  virtual UsefulWork work(const Case& c) const = 0;
  // The share of the launched threads' iterations that does useful work, 0 < Utl <= 1.
  virtual double utilization(const Case& c, int64_t blocks, int threads_per_block) const = 0;
  // What an index of an array means, for messages: "vector 2, element 1"; may be empty.
  virtual std::string describe_index(const Case& c, const ArraySpec& array, int64_t index) const;
  // What a student edits, for messages: "hw02.cu".
  virtual std::string student_file() const { return name() + ".cu"; }
};

// Each homework defines this one.
std::unique_ptr<Assignment> make_assignment();

}  // namespace lockstep
