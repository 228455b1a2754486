// SPDX-License-Identifier: Apache-2.0
// The parts of a homework's description that are the same for most. See assignment.h.
#include "common/harness/assignment.h"

#include "common/base/error.h"
#include "common/harness/columns.h"

namespace lockstep {

int64_t Case::parameter(const std::string& name) const {
  for (const auto& [key, value] : parameters)
    if (key == name) return value;
  throw Error("case " + kernel + " has no parameter " + name);
}

std::string Assignment::problem_key(const Case& c) const {
  std::string key;
  for (const auto& [name, value] : c.parameters) key += name + "=" + std::to_string(value) + ";";
  return key;
}

std::string Assignment::signature(const Case&, const std::string&) const { return {}; }

std::vector<Argument> Assignment::arguments(const Case&,
                                            const std::vector<BufferId>& buffers) const {
  std::vector<Argument> arguments;
  for (const BufferId buffer : buffers) arguments.push_back(Argument::of_buffer(buffer));
  return arguments;
}

Sequence Assignment::launches(const Case& c, const LaunchContext& context,
                              const std::vector<BufferId>& buffers) const {
  Launch launch;
  launch.kernel = c.kernel;
  launch.grid.x = static_cast<uint32_t>(context.blocks);
  launch.block.x = static_cast<uint32_t>(context.threads);
  launch.arguments = arguments(c, buffers);
  return {launch};
}

double Assignment::utilization(const Case&, const Sequence&) const { return 1; }

std::vector<std::string> Assignment::columns() const { return standard_columns(); }

std::optional<Assignment::ExpectedElement> Assignment::expected_at(const Case&,
                                                                   const std::vector<HostArray>&,
                                                                   size_t, int64_t) const {
  return std::nullopt;
}
std::string Assignment::describe_index(const Case&, const ArraySpec&, int64_t) const { return {}; }

}  // namespace lockstep
