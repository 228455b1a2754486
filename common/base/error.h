// SPDX-License-Identifier: Apache-2.0
// Errors and exit codes. A library throws Error; only main turns it into text and a code.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>

namespace lockstep {

enum ExitCode : int {
  kExitGood = 0,
  kExitWrong = 1,       // wrong result, or a check that failed
  kExitUsage = 2,       // bad command line or bad input file
  kExitCannotRun = 77,  // cannot run here: no GPU, no compiler, no permission
  kExitCuda = 110,      // the card, driver or kernel failed
};

// What is wrong, where, and what to do next, in one line (more lines may follow).
class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& message, ExitCode code = kExitUsage)
      : std::runtime_error(message), code_(code) {}
  ExitCode code() const { return code_; }

 private:
  ExitCode code_;
};

// A kernel did what it must not do, or did not end.
struct FaultPlace {
  std::string file;  // student's source; empty: unknown
  int line = 0;
  std::string kernel;
  uint32_t block[3] = {0, 0, 0};
  uint32_t thread[3] = {0, 0, 0};
  bool has_thread = false;
  int caller = 0;  // the line that called the inlined function in which it lies; 0: none
};

class KernelFault : public Error {
 public:
  // kind is one of a small vocabulary: "out_of_bounds", "misaligned", "uninitialized", "race",
  // "divergent_barrier", "bad_mask", "deadlock", "timeout", "too_slow", "read_only", "trap",
  // "assert", "null_pointer", "unsupported", "illegal_address", "launch_failed",
  // "stored" (Backend::check_stores).
  KernelFault(std::string kind, FaultPlace place, const std::string& message)
      : Error(message, kExitCuda), kind_(std::move(kind)), place_(std::move(place)) {}
  const std::string& kind() const { return kind_; }
  const FaultPlace& place() const { return place_; }

 private:
  std::string kind_;
  FaultPlace place_;
};

}  // namespace lockstep
