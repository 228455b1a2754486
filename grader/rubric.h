// SPDX-License-Identifier: Apache-2.0
// What a homework is graded by: hwNN/rubric.toml as data. docs/grading.md describes the file.
// A wrong rubric is refused with the file, the line and what is expected there.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "common/harness/plan_file.h"
#include "grader/late.h"

namespace lockstep::grader {

// Launches that are made of every submission: each kernel on each size with each shape. What is
// drawn is drawn anew for every draw (draws.h): sizes, and shapes for each size and input.
struct RunRule {
  std::string id;
  std::vector<std::string> kernels;  // exact names
  int drawn_kernels = 0;             // so many of them, drawn; 0: all
  std::vector<int64_t> vectors;      // problem sizes, in the homework's own unit
  int drawn_sizes = 0;               // so many more sizes
  Range sizes;
  bool own_shape = false;       // Rubric::own_shapes: blocks and warps are 0, and say nothing
  std::vector<int64_t> blocks;  // fixed shapes: all combinations of these two
  std::vector<int> warps;
  int drawn_shapes = 0;  // so many more shapes
  Range shape_blocks, shape_warps;
  int inputs = 1;         // inputs from so many secret seeds
  bool counters = false;  // counted, or only checked
  bool unseen = false;    // not launched: see without_hidden()
  int line = 0;           // of the rubric
};

enum class CheckKind { kCorrect, kMetric, kCosts };
enum class Visibility { kPublic, kHidden };
enum class RelativeTo { kNothing, kSolution, kKernel };

// A hint for launches with such a figure, above or below a limit; or for those that went wrong in
// one of these ways: fault_words() knows them, and "wrong" and "input_changed".
struct EvidentHint {
  std::string metric;
  std::optional<double> above, below;
  std::string hint;
  std::vector<std::string> faults = {};
};

struct CheckRule {
  std::string id;
  std::string title;
  CheckKind kind = CheckKind::kCorrect;
  double points = 0;
  Visibility visibility = Visibility::kPublic;
  std::string hint;
  std::vector<EvidentHint> hints;            // the first that fits comes in its place
  std::vector<std::string> backends;         // where it can be decided; empty: everywhere
  std::vector<std::string> runs;             // ids
  // Runs that count sizes of the homework's own table, and that it leaves out for a reason.
  std::vector<std::string> passes_by;
  std::vector<std::string> kernels;          // exact names; empty: all of the runs
  std::vector<std::string> requires_checks;  // earlier checks: counts as far as they pass
  bool partial = false;                      // correct: points for each kernel that is right
  // A metric: value <= at_most * base + plus, value >= at_least * base + plus, or both; base is 1,
  // the solution's or another kernel's value. From the limit to zero_at the points fall to 0.
  // plus_per_element is added for each element of the problem, plus_per_warp for each warp of the
  // launch, for what it does once. kCosts: at_most for each of `metrics` against the solution, and
  // what cost_table() grants of each.
  std::string metric;
  std::vector<std::string> metrics;  // kCosts: those of cost_table() that it looks at
  bool granted = true;               // kCosts: what cost_table() grants is added
  std::optional<double> at_most, at_least;
  std::optional<double> zero_at;  // with one limit only
  double plus = 0, plus_per_element = 0, plus_per_warp = 0;
  RelativeTo relative_to = RelativeTo::kNothing;
  // With $1, $2 ... for the template arguments of the kernel checked; empty: that kernel.
  std::string base_kernel;
  int line = 0;
};

struct Policy {
  bool inline_asm = true;              // may the student's file contain asm
  std::vector<std::string> headers;    // else: those whose own asm is allowed (grader/assembly.h)
  std::vector<std::string> forbidden;  // PTX operations that it may not use: "atom", "ld.const"
  bool machine_registers = false;      // may it read %clock64, %smid and their like
  int64_t global_bytes = 1 << 20;      // of __device__ and __constant__ variables
};

struct Limits {
  double compile_s = 40;
  double launch_s = 10;              // one execution of a kernel
  double run_s = 120;                // all of a submission's launches
  int64_t memory_mib = 4096;         // compiling, and running each
  int64_t step_budget = 50'000'000;  // emulator: warp instructions of a launch
  int64_t total_steps = 0;           // emulator: of all launches together; 0: no limit
};

// What becomes of a check that this device decides for the solution, but not for the submission.
enum class Undecided { kFail, kReview };

struct Rubric {
  std::string path;
  std::string text_hash;  // SHA-256 of the file
  std::string homework;   // "hw02"
  std::string title;
  std::string file;   // what students hand in, "hw02.cu"
  double points = 0;  // sum over the checks
  Undecided undecided = Undecided::kFail;
  std::vector<std::string> given_kernels;  // launched besides those that runs name; the homework's
  std::vector<std::string> given_rows;     // of the table that ./hwNN prints; not the student's
  bool own_shapes = false;  // launch shapes are the homework's or the student's: sizes are drawn
  Policy policy;
  Limits limits;
  std::string solution;  // path from the top folder; empty: none
  std::vector<std::string> solution_flags;
  std::string starter;  // likewise
  std::optional<double> starter_points;
  std::vector<std::string> wrong;  // files that must fail, from the top folder
  std::vector<std::string> naive;  // right but slow: each metric check must fail one of these
  double margin = 0.03;  // selfcheck: what must lie between the solution and each threshold
  std::optional<LatePolicy> late;
  std::vector<RunRule> runs;
  std::vector<CheckRule> checks;
  // Metrics that the table of ./hwNN has as columns; the session asks the program. Not in the file.
  std::vector<std::string> columns;
  std::vector<std::string> hidden_checks;  // ids of those that without_hidden() has left out

  const RunRule* find_run(const std::string& id) const;
  // The kernels that a check looks at: its own list, or all of its runs.
  std::vector<std::string> kernels_of(const CheckRule& check) const;
};

// Throws Error with one line "FILE:LINE: what is wrong; what is expected".
Rubric load_rubric(const std::string& path);
Rubric parse_rubric(const std::string& text, const std::string& path);

// What a student is graded by, who is told nothing that hangs on a hidden check: without these, and
// without the launches that they alone look at. All others are launched as they are by the whole.
Rubric without_hidden(Rubric rubric);

// "f<{8,32},{1,2}>" -> "f<8,1>", "f<8,2>", "f<32,1>", "f<32,2>".
std::vector<std::string> expand_braces(const std::string& pattern);
// "norm_group<$1,$2>" for "norm_group_u<8,4,2>" -> "norm_group<8,4>"; "" -> the kernel itself.
std::string base_kernel_of(const std::string& pattern, const std::string& kernel);

}  // namespace lockstep::grader
