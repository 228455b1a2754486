// SPDX-License-Identifier: Apache-2.0
// What the author of a homework writes (hwNN/assignment.cc): the problem, its inputs, the
// reference, the kernels and the useful work. The harness (homework.h) does all the rest.
// docs/adding-a-homework.md leads through it.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/backend/backend.h"
#include "common/harness/host_array.h"

namespace lockstep {

// One kernel on one problem, the unit that the table gives a heading and a block of rows. What is
// run for it may be several launches of several kernels.
struct Case {
  std::string kernel;  // its name: as a rule the kernel's, demangled: "norm_group_u<8,8,4>"
  std::string label;   // for the heading: "d_l 8, unroll degree 4, n_l 1000"
  std::vector<std::pair<std::string, int64_t>> parameters;  // d_l, group_size, unroll, n_l ...
  bool by_default = true;  // false: run only where --kernel names it
  // What it launches is a library's, for comparison: it is left out where there is no card, and no
  // rubric can name it.
  bool library = false;
  std::string table = {};  // cases of one table share it; empty: kernel
  // What its rows begin with, where cases share a table, which is headed by `table` then; else "".
  std::string row = {};
  int64_t parameter(const std::string& name) const;  // throws where there is none
};

enum class Role {
  kInput,   // the same before and after; a store to it is a fault
  kOutput,  // undefined before, checked after
  kInOut,   // has an input, checked after
  kScratch  // undefined before, looked at by nobody
};

// An array that the kernels are given.
struct ArraySpec {
  std::string name;  // the student's name for it: "l_in"
  size_t elements = 0;
  Role role = Role::kInput;
  ElementType type = ElementType::kF32;
  bool places = false;  // an input of places in other arrays: no element may be another number

  bool has_input() const { return role == Role::kInput || role == Role::kInOut; }
  bool is_checked() const { return role == Role::kOutput || role == Role::kInOut; }
  size_t bytes() const { return elements * element_bytes(type); }
};

inline size_t bytes_of(const std::vector<ArraySpec>& arrays) {
  size_t bytes = 0;
  for (const ArraySpec& array : arrays) bytes += array.bytes();
  return bytes;
}

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

// Who decides how many blocks and threads there are.
enum class ShapeFrom {
  kCommandLine,  // NBLOCKS and WARPS, swept; a rubric draws them
  kHomework,     // launches() knows
  kStudent       // launches() makes them of the student's constants
};

// A number that stands in the student's file and that instances.cu makes a variable of:
//   extern "C" __device__ long long lockstep_constant_NAME = NAME;
// It is read from the module.
struct StudentConstant {
  std::string name;
  int64_t least = 1, most = 1;
  int64_t multiple_of = 1;
  std::string meaning;  // "threads of a block"
};

// What launches() may look at.
struct LaunchContext {
  const DeviceInfo& device;
  int64_t blocks = 0;                        // ShapeFrom::kCommandLine; else 0
  int threads = 0;                           // of a block; likewise
  std::map<std::string, int64_t> constants;  // by StudentConstant::name
  // Blocks of such a launch that fit on an SM at once: the occupancy calculator.
  std::function<int(const Launch&)> blocks_per_sm;
};

class Assignment {
 public:
  virtual ~Assignment() = default;
  virtual std::string name() const = 0;  // "hw02"
  // Bytes of input when none is asked for. The emulator's is small enough for a laptop.
  virtual int64_t default_bytes(const DeviceInfo& device, bool emulated) const = 0;
  virtual ShapeFrom shape_from() const { return ShapeFrom::kCommandLine; }
  // Warps per block when 0 or absent, with a shape from the command line.
  virtual std::vector<int> warp_sweep() const { return {8}; }
  // With a shape from the student.
  virtual std::vector<StudentConstant> constants() const { return {}; }
  // All that the homework can launch. Throws Error where the kernels cannot take that size.
  virtual std::vector<Case> cases(const ProblemSize& size) const = 0;
  // Cases with equal keys share inputs and reference; by default, those with equal parameters.
  virtual std::string problem_key(const Case& c) const;
  // The kernels that the case launches, by KernelInfo::name; the first one's resources are told.
  virtual std::vector<std::string> launched_kernels(const Case& c) const { return {c.kernel}; }
  // KernelInfo::signature that a kernel of the case must have; empty: any.
  virtual std::string signature(const Case& c, const std::string& kernel) const;
  virtual std::vector<ArraySpec> arrays(const Case& c) const = 0;
  // Fills the arrays that have inputs, in the order of arrays(), from the seed alone.
  virtual std::vector<HostArray> make_inputs(const Case& c, uint64_t seed) const = 0;
  // In double; one an array that is checked, with the tolerance of each element beside it.
  struct Expected {
    std::vector<double> values;
    std::vector<double> tolerance;
  };
  virtual std::vector<Expected> reference(const Case& c,
                                          const std::vector<HostArray>& inputs) const = 0;
  // One element of reference(), of the array at `output` of those that are checked, for problems
  // the whole of which takes too long; nothing where there are none.
  struct ExpectedElement {
    double value = 0, tolerance = 0;
  };
  virtual std::optional<ExpectedElement> expected_at(const Case& c,
                                                     const std::vector<HostArray>& inputs,
                                                     size_t output, int64_t i) const;
  // Kernel arguments where there is one launch; buffers come in the order of arrays().
  virtual std::vector<Argument> arguments(const Case& c,
                                          const std::vector<BufferId>& buffers) const;
  // What is launched, in order; by default the kernel of the case, once, with the blocks and
  // threads of the context.
  virtual Sequence launches(const Case& c, const LaunchContext& context,
                            const std::vector<BufferId>& buffers) const;
  virtual UsefulWork work(const Case& c) const = 0;
  // The share of the launched threads' iterations that does useful work, 0 < Utl <= 1.
  virtual double utilization(const Case& c, const Sequence& launches) const;
  // The table's columns, by metric name (columns.h).
  virtual std::vector<std::string> columns() const;
  // What an index of an array means, for messages: "vector 2, element 1"; may be empty.
  virtual std::string describe_index(const Case& c, const ArraySpec& array, int64_t index) const;
  // What a wrong element may be instead, each in a line: a result that is wrong in this way and no
  // other is told so. Values are those of the first array that is checked.
  struct Confusion {
    std::string words;  // "the average of its vector"
    std::function<double(const std::vector<HostArray>& inputs, int64_t index)> value;
    // Not the value itself: wrong elements are off by the same multiple of it.
    bool off_by_multiple = false;
  };
  virtual std::vector<Confusion> confusions(const Case&) const { return {}; }
  // What a student edits, for messages: "hw02.cu".
  virtual std::string student_file() const { return name() + ".cu"; }
};

// Each homework defines this one.
std::unique_ptr<Assignment> make_assignment();

}  // namespace lockstep
