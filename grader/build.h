// SPDX-License-Identifier: Apache-2.0
// A submission's one file to a module, in the cage, with the instructor's flags, headers and
// instantiating file. What the compiler says comes back as it is.
#pragma once

#include <string>
#include <vector>

#include "grader/rubric.h"
#include "grader/sandbox.h"
#include "grader/toolchain.h"

namespace lockstep::grader {

struct BuildRequest {
  std::string contents;            // the student's file
  std::vector<std::string> flags;  // besides the usual ones: the solution's -DSOLUTION=1
  std::string folder;              // an empty folder to work in; the module stays there
  bool trusted = false;            // ours: the policy does not apply
  int slot = 0;
  bool listing = false;  // the machine code as text, too
};

struct BuildResult {
  // "", or why there is no module: "compile" (the compiler says no), "compile_timeout",
  // "compile_memory", "forbidden" (the policy), "infrastructure", "killed" (a tool was, by whom is
  // not known).
  std::string problem;
  std::string log;          // compiler messages, or what is wrong; bounded
  std::string module;       // FILE.ptx
  std::string module_hash;  // SHA-256 of PTX and cubin
  std::string code;         // JSON (common/backend/machine_code.h); empty: it could not be had
  double seconds = 0;
  bool good() const { return problem.empty(); }
  // No tool has said what to make of the text.
  bool unanswered() const { return problem == "infrastructure" || problem == "killed"; }
};

BuildResult build_module(const BuildRequest& request, const Rubric& rubric, const Toolchain& tools,
                         const Sandbox& sandbox);

}  // namespace lockstep::grader
