// SPDX-License-Identifier: Apache-2.0
// The grader's commands, each with its options as given. They print to standard output, and
// return an exit code of common/error.h; what is wrong is thrown as Error.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "grader/session.h"

namespace lockstep::grader {

struct CommandOptions {
  SessionOptions session;
  std::string path;  // check: the file; run: the submissions
  std::string results = "results";
  std::string view;  // "student", "instructor"; empty: as fits
  int jobs = 0;
  bool regrade = false;
  bool json = false;
  bool brief = false;
};

int check_command(const CommandOptions& options);
int run_command(const CommandOptions& options);
int doctor_command(const CommandOptions& options);
int selfcheck_command(const CommandOptions& options);

// A folder of this process's own below the system's temporary one.
std::string temporary_folder();

}  // namespace lockstep::grader
