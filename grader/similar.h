// SPDX-License-Identifier: Apache-2.0
// How alike two submissions are by their machine code, which names, comments and layout of the
// source do not change. What was given to all does not count.
#pragma once

#include <cstdint>
#include <vector>

#include "common/backend/machine_code.h"

namespace lockstep::grader {

// What tells a code from others: hashes of all runs of kRun instructions, each once, ascending. Of
// an instruction counts its name with modifiers and of what kind its operands are, not which
// registers, constants or addresses they are.
using Fingerprint = std::vector<uint64_t>;
inline constexpr size_t kRun = 8;
Fingerprint fingerprint(const MachineCode& code);

// Without what is in `given`, too.
Fingerprint without(const Fingerprint& own, const Fingerprint& given);

// Of all that two have, the share that both have, 0 to 1; 0 where one has less than kLeastRuns.
double likeness(const Fingerprint& a, const Fingerprint& b);
inline constexpr size_t kLeastRuns = 40;

// From this share on two are shown to a person: docs/reports.md has the figures.
inline constexpr double kVerySimilar = 0.8;

// Those that hang together by pairs that are very similar; the pairs' least and greatest share.
struct SimilarGroup {
  std::vector<size_t> members;  // indices, ascending
  double least = 1, most = 0;
};
std::vector<SimilarGroup> similar_groups(const std::vector<Fingerprint>& all);

}  // namespace lockstep::grader
