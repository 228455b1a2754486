// SPDX-License-Identifier: Apache-2.0
// What the grader works with on this machine: CUDA's compiler, the homework's own program, the
// runner and bubblewrap, found once and named in every record.
#pragma once

#include <string>
#include <vector>

namespace lockstep::grader {

struct Toolchain {
  std::string top;           // the repository's folder
  std::string cuda;          // real path of the toolkit
  std::string nvcc_version;  // "13.0.88"
  std::string arch;          // "sm_90"
  std::string runner;        // runner/lockstep-runner
  std::string bwrap;         // empty: not installed

  std::string nvcc() const { return cuda + "/bin/nvcc"; }
  std::string ptxas() const { return cuda + "/bin/ptxas"; }
};

// Looks around. `arch` is left empty. Throws Error (kExitCannotRun), with the remedy, where
// there is no CUDA toolkit.
Toolchain find_toolchain(const std::string& top);

// The repository's folder: LOCKSTEP_TOP, or where this program lies, or the working folder's
// parents. Throws Error.
std::string find_top();

// The path without links; itself where there is nothing.
std::string real_path(const std::string& path);

// A program on the PATH; empty: not there.
std::string find_program(const std::string& name);

}  // namespace lockstep::grader
