// SPDX-License-Identifier: Apache-2.0
// The parts of a homework's description that are the same for all. See assignment.h.
#include "common/harness/assignment.h"

#include "common/base/error.h"

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

std::string Assignment::signature(const Case&) const { return {}; }

std::string Assignment::describe_index(const Case&, const ArraySpec&, int64_t) const { return {}; }

}  // namespace lockstep
