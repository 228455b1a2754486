// SPDX-License-Identifier: Apache-2.0
// From the command line to launches: how many blocks, which block sizes, how much input.
// Nothing here touches a device.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "common/backend/device_info.h"
#include "common/harness/assignment.h"
#include "common/harness/command_line.h"

namespace lockstep {

// A kernel's name without template arguments.
inline std::string base_name(const std::string& kernel) {
  return kernel.substr(0, kernel.find('<'));
}

struct LaunchPlan {
  int64_t blocks = 1;      // 0, and one launch of 0 warps: the command line has no say
  std::vector<int> warps;  // of a block, one launch each
  ProblemSize size;
  bool shows_resident = false;  // more blocks than SMs: the ac column tells something

  int max_threads() const;  // of a block, over all launches
};

// Throws Error (kExitUsage) for what this device cannot launch.
LaunchPlan plan_launches(const Options& options, const DeviceInfo& device,
                         const Assignment& assignment, bool emulated);

// The cases to run, in order: those that a pattern of --kernel means, else the default ones.
// Throws Error where a pattern means none, and names what there is.
std::vector<Case> select_cases(const Options& options, const std::vector<Case>& all);

// How large a problem must be for so much work.
class Sizes {
 public:
  explicit Sizes(const Assignment& assignment) : assignment_(assignment) {}
  // The least --vectors with which the case of that kernel has so many elements.
  int64_t least(const std::string& kernel, int64_t elements);

 private:
  bool has(const std::string& kernel, int64_t vectors, int64_t elements);

  const Assignment& assignment_;
  std::map<int64_t, std::map<std::string, int64_t>> known_;  // elements by vectors and case
};

// By case, but for libraries', in the problem's unit: --vectors with which it has the problem that
// it has by default, if some do, else the least with which it is as large.
std::map<std::string, int64_t> default_sizes(const Assignment& assignment, const DeviceInfo& device,
                                             bool emulated);

// Bytes that the harness allocates for a case: its arrays, a copy of each input, and guard zones.
int64_t bytes_needed(const std::vector<ArraySpec>& arrays);

// Throws Error (kExitUsage) where a case needs more than there is.
void check_memory(const std::vector<ArraySpec>& arrays, const std::string& kernel,
                  std::optional<int64_t> free_bytes, bool emulated);

// warps * min(blocks on an SM, blocks that fit on one).
int resident_warps(int64_t blocks, int warps, int sm_count, int max_blocks_per_sm);

// The student's constants, out of the loaded module. Throws ConstantFault, whose text says what is
// wrong with which of them, where one is missing or makes no sense.
struct ConstantFault : Error {
  using Error::Error;
};
std::map<std::string, int64_t> read_constants(Backend& backend, const Assignment& assignment);

// Of launches on the backend, which must outlive it; blocks and warps: 0 where the shape is not
// from the command line.
LaunchContext launch_context(Backend& backend, int64_t blocks, int warps,
                             std::map<std::string, int64_t> constants);

// Of several that a student's overloads make of one name, the one with these parameters, else the
// first; nullptr: there is none of that name.
const KernelInfo* kernel_with(Backend& backend, const std::string& name,
                              const std::string& signature);

// The case of this kernel on a problem of so many vectors, where there is one.
std::optional<Case> find_case(const Assignment& assignment, const std::string& kernel,
                              int64_t vectors);

// The launches of a case, in their order, of the kernels that take what these are given.
Sequence launches_of(Backend& backend, const Assignment& assignment, const Case& c,
                     LaunchContext context, const std::vector<BufferId>& buffers);

// "4 blocks of 8 warps", "4x2 blocks of 16x16 threads".
std::string shape_words(const Launch& launch);

}  // namespace lockstep
