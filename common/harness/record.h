// SPDX-License-Identifier: Apache-2.0
// The record of one launch, as the homework programs print it with --json, one line each.
// docs/records.md describes every field; the grader judges nothing but these.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "common/backend/backend.h"
#include "common/backend/counts.h"
#include "common/base/quoted.h"

namespace lockstep {

inline constexpr int kRecordVersion = 4;

struct Mismatch {
  std::string array;
  int64_t index = 0;
  double expected = 0;
  double got = 0;
};

struct CheckResult {
  // "correct", "wrong", "fault", "guard", "input_changed", "missing_kernel", "bad_signature",
  // "bad_constant", "not_run"
  std::string status = "not_run";
  int64_t checked = 0;
  int64_t errors = 0;
  std::vector<Mismatch> first;  // at most five
  std::string message;          // ours: one or more lines for the student, file:line: first
  Quoted quoted;                // what the runner or the module said about it
  uint64_t seed = 0;            // of the inputs of the execution that failed, else of the launch
  std::string repeat;           // a command that repeats what failed; empty: nothing did
  std::string fault_kind;       // KernelFault::kind, for status "fault"
  std::string fault_file;
  int fault_line = 0;
  bool settled = false;  // the message has the cause (not in records)
};

// One of a case's launches.
struct LaunchShape {
  std::string kernel;  // KernelInfo::name
  Dim3 grid, block;
};

struct Record {
  std::string homework;  // "hw02"
  std::string kernel;    // "norm_group_u<8,8,4>"
  std::map<std::string, int64_t> parameters;
  std::string backend;      // "gpu" or "emulator"
  std::string device;       // "NVIDIA H200"
  std::string driver;       // "580.159", empty: none
  std::string module_hash;  // FNV-1a 64 of the module's files, hexadecimal
  uint64_t seed = 0;
  int64_t input_bytes = 0;
  int64_t elements = 0;               // UsefulWork::elements, what totals are held against
  Dim3 grid, block;                   // of the first launch
  std::vector<LaunchShape> launches;  // all, in order; empty where it did not come to that
  int registers = -1;
  int64_t shared_bytes = -1, local_bytes = -1, spill_bytes = -1;
  CheckResult check;
  std::optional<double> time_us;
  Counts counts;                         // raw
  std::map<std::string, Count> derived;  // inst_per_element, l2_read_ratio, ...
};

std::string to_json_line(const Record& record);
// Throws Error on a line that is not a record of this version.
Record record_from_json_line(const std::string& line);

}  // namespace lockstep
