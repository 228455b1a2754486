// SPDX-License-Identifier: Apache-2.0
// From records to a verdict: what the rubric asks of them, each check by itself, in words that a
// student understands. Pure functions: nothing is executed, read or written here.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "common/harness/record.h"
#include "grader/draws.h"
#include "grader/plan.h"
#include "grader/rubric.h"

namespace lockstep::grader {

// kHidden: not looked at, for a student.
enum class CheckStatus { kPass, kPartial, kFail, kReview, kNotMeasured, kHidden };
// "pass", "partial", "fail", "review", "not_measured", "hidden"
const char* to_string(CheckStatus status);

// A line of the student's file: what it costs, and its text.
struct CostLine {
  std::string words;
  Quoted source;
};

struct CheckOutcome {
  std::string id, title;
  CheckStatus status = CheckStatus::kNotMeasured;
  double points = 0, max_points = 0;
  double share = 0;        // of the points, or of those that hang on it where it has none itself
  double at_stake = 0;     // kReview: the share of the points that a person has to decide; not
                           // kept in the store
  bool hidden = false;     // by the rubric, from students
  bool undecided = false;  // a figure is missing that the solution has
  // Of a check without points: those of all checks that hang on it. It is a gate.
  double blocks = 0;
  // Id of the check that decided it by failing, or of a gate in part; one that waits for none.
  std::string waits_for;
  std::string kernel;  // the one that decided
  std::optional<double> measured, threshold;
  std::optional<double> clearance;  // how far on the good side of it, as a share of it
  std::string tier;                 // of the measured value
  std::string message;              // ours; lines: where, what was expected, what was found
  Quoted quoted;                    // what kernel, compiler or runner said about it
  std::vector<CostLine> costs;      // source lines that cost most, with the budget
  std::string hint;                 // on failure
  std::string reproduce;            // a command
  std::string metric;               // that decided it; not kept in the store
  // The launch that went wrong, where that decided it; not kept in the store.
  std::optional<size_t> bad_launch;
  // The launch that decided, where a comparison said the opposite in it; not kept either.
  std::optional<size_t> opposed;
};

enum class VerdictKind {
  kPass,
  kPartial,
  kFail,
  kStudentError,
  kInfraError,
  kNotMeasured,
  kReview
};
// "pass", "partial", "fail", "student_error", "infra_error", "not_measured", "review"
const char* to_string(VerdictKind kind);

struct Verdict {
  VerdictKind kind = VerdictKind::kInfraError;
  // student_error: "compile", "compile_timeout", "compile_memory", "forbidden", "staging", "crash",
  // "timeout", "out_of_memory", "out_of_bounds", "launch_failed", "ungradable". partial and fail:
  // "too_slow" where a launch was cut. infra_error: one line.
  std::string reason;
  std::string message;  // ours
  Quoted quoted;        // compiler messages, say
  double points = 0;
  double max_points = 0;
  double undecided_points = 0;  // of checks that were not measured
  double review_points = 0;     // of checks that a person has to decide
  std::vector<CheckOutcome> checks;
  // Whether there are checks that were not looked at, so that the sum is not the submission's.
  bool has_hidden() const;
};

struct JudgeInput {
  const Rubric& rubric;
  const std::vector<GradedLaunch>& plan;
  const std::vector<Record>& records;  // as many as were made, in the plan's order
  const Reference& reference;          // the solution on the same draw; perhaps without records
  std::string backend;                 // "gpu" or "emulator"
  std::string source;                  // the student's file
  // What ended all launches together: "timeout" or "out_of_memory"; empty: nothing did.
  std::string ended = {};
  // The counts by line of a launch, where the records come without them.
  std::function<std::vector<LineCounts>(size_t)> lines = {};
};

Verdict judge(const JudgeInput& input);

// A verdict without records: nothing could be run. The message is ours; what a compiler or a runner
// said is quoted.
Verdict student_error(const Rubric& rubric, const std::string& reason, const std::string& message,
                      Quoted quoted = {});
// The reason is the message's first line.
Verdict infra_error(const Rubric& rubric, const std::string& message, Quoted quoted = {});

// What a fault's kind means for the verdict: a student_error's reason; "" where it is a wrong
// result like any other ("race"); "unsupported", "too_slow" and "protocol" as they are.
std::string reason_of_fault(const std::string& fault_kind);

// The value of a metric in a record: derived, raw or static; nullopt with the reason in *why.
std::optional<Count> metric_value(const Record& record, const std::string& metric,
                                  std::string* why);

// Every metric that judging by the rubric asks a record for: it needs no others.
using MetricNames = std::set<std::string, std::less<>>;
MetricNames judged_metrics(const Rubric& rubric);

// "cd hw02; ./hw02 3 8 --vectors 33 ..." for one launch.
std::string reproduce_command(const Rubric& rubric, const PlannedLaunch& launch,
                              const std::string& backend, uint64_t seed, bool counters);

// 12 -> "12", 0.65 -> "0.65", 13.25813 -> "13.26": four significant digits, and from 1000 on whole
// numbers, all of their digits.
std::string format_number(double value);

}  // namespace lockstep::grader
