// SPDX-License-Identifier: Apache-2.0
// The launches of tests/data that were measured on an H200: what was launched, and the card's
// counts under the emulator's names.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "common/backend/backend.h"
#include "tools/compare_h200/output_hash.h"

namespace lockstep::compare_h200 {

struct MeasuredLaunch {
  std::string set;     // "h200", "sweeps", "fit", ...
  std::string module;  // path without ending, as `make` builds it
  std::string kernel;
  Dim3 grid, block;
  uint32_t shared_bytes = 0;
  int32_t argument = 0;
  std::map<std::string, double> counts;  // by metric name
  std::string output;                    // hash; empty: does not repeat (float atomics)
  std::string code;  // hash of the machine code that was measured; empty: not known
  HashRule output_rule;
};

// folder: tests/data. Throws Error where a file is missing or not as expected. nvcc does not always
// make the same code of a kernel with arrays of its own: a launch of other code than was measured
// has neither counts nor an output here.
std::vector<MeasuredLaunch> read_truth(const std::string& folder);

// Of the kernel in MODULE.cubin; empty: not there.
std::string code_hash(const std::string& module, const std::string& kernel);

}  // namespace lockstep::compare_h200
