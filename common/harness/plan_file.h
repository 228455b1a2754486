// SPDX-License-Identifier: Apache-2.0
// The launches that a grader asks of a homework program with --plan FILE: which kernel, on how
// much input from which seed, with how many blocks and warps, counted or only checked. Each gives
// one record, in order. After a fault the other launches of that kernel are not run, those of
// other kernels are; after three launches that hang nothing more is.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/harness/assignment.h"

namespace lockstep {

struct PlannedLaunch {
  std::string kernel;     // Case::kernel, exactly
  int64_t vectors = 0;    // ProblemSize::vectors
  int64_t blocks = 0;     // as NBLOCKS on the command line: 0: one an SM; negative: so many an SM
  int warps = 8;          // of a block
  uint64_t seed = 1;      // of the inputs; further executions of a launch take seeds made of it
  bool counters = true;   // false: the output is checked, nothing is counted
  bool as_shown = false;  // each execution has these inputs, as where a student launches it
  // Launch::opposed of this kernel of the sequence; line: of the last of these comparisons, 0: not
  // known. No instructions: a launch that is not made, of comparisons that cannot be looked at.
  struct Opposed {
    std::string kernel;
    std::vector<uint32_t> instructions;
    int line = 0;
    bool operator==(const Opposed&) const = default;
  };
  std::optional<Opposed> opposed = std::nullopt;
  // Where all blocks would take too much work, so many, drawn from that number, are executed and
  // counted, and stand for all (large_problem.h).
  struct Drawn {
    uint32_t blocks = 0;
    uint64_t from = 0;
    bool operator==(const Drawn&) const = default;
  };
  std::optional<Drawn> drawn = std::nullopt;
  bool operator==(const PlannedLaunch&) const = default;
};

// Numbers from which one is drawn, both ends among them.
struct Range {
  int64_t from = 0, to = 0;
};
inline Range around(Range a, Range b) { return {std::min(a.from, b.from), std::max(a.to, b.to)}; }

// Where it is looked, when all launches have been made, whether a kernel does something that it did
// in none of them (elsewhere.h). Blocks and warps from 0 to 0: they are not the command line's.
struct PlannedSearch {
  std::string name;  // for the answer: the rubric's run
  std::string kernel;
  Range vectors, blocks, warps;
  uint64_t seed = 1;
  bool counters = true;  // of what is launched
};

struct Plan {
  std::vector<PlannedLaunch> launches;
  std::vector<PlannedSearch> searches;
};

// JSON: {"launches": [{"kernel": ..., "vectors": ..., "blocks": ..., "warps": ..., "seed": ...,
// "counters": ..., "as_shown": true where it is so, "opposed": [kernel, [instruction, ...], line]
// where one is, "drawn": [blocks, from]
// where some are}, ...], "searches": [{"name": ..., "kernel": ...,
// "vectors": [from, to], "blocks":
// ..., "warps": ..., "seed": ..., "counters": ...}, ...]}. Throws Error with what is wrong where.
Plan read_plan(const std::string& path);
std::string plan_to_json(const Plan& plan);

// What a search has found: a line behind the records, {"elsewhere": {"name": ..., "kernel" ...}}.
struct FoundElsewhere {
  std::string name;  // PlannedSearch::name
  PlannedLaunch launch;
};
std::string to_json_line(const FoundElsewhere& found);
// The last line that a program writes of a plan: all was done that the plan asks for.
inline constexpr char kEndOfPlan[] = "{\"end\": true}";
// Nothing where the line is a record.
std::optional<FoundElsewhere> found_elsewhere(const std::string& line);

// The seed of the inputs of one execution of a launch (0: the first): every execution works on
// inputs of its own, so that a result kept from an earlier one is wrong.
uint64_t seed_of_pass(uint64_t seed, uint64_t pass);
// A seed that depends on every letter of a text, a kernel's name for example.
uint64_t seed_of_text(uint64_t seed, const std::string& text);

}  // namespace lockstep
