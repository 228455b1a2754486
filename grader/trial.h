// SPDX-License-Identifier: Apache-2.0
// A small kernel of ours goes the way of a submission: compiled in the cage, executed and counted
// by a caged runner. What breaks on the way would break every grading.
#pragma once

#include <string>

#include "grader/run.h"
#include "grader/sandbox.h"
#include "grader/toolchain.h"

namespace lockstep::grader {

// `folder`: an empty one to work in. tools.arch is the machine's. Returns the kernel's counts in
// words, "128 warp instructions, 8 store requests". Throws Error: first line what is wrong, then
// the remedy.
std::string try_counting(const Machine& machine, const Toolchain& tools, const Sandbox& sandbox,
                         const std::string& folder);

}  // namespace lockstep::grader
