// SPDX-License-Identifier: Apache-2.0
// nvcc's own steps, as `nvcc --dryrun` lists them: the preprocessor and the compiler, to be run one
// by one. So each has an exit status of its own, and what the one hands to the other can be looked
// at before it is compiled.
#pragma once

#include <string>
#include <vector>

#include "grader/sandbox.h"
#include "grader/toolchain.h"

namespace lockstep::grader {

struct NvccSteps {
  std::vector<std::string> preprocess, compile;  // commands, in the cage
  std::vector<std::string> include_folders;      // of the toolkit's headers, as nvcc names them
};

// `arguments`: nvcc's, for -ptx of `source`; the files made are preprocessed_name() and `ptx` in
// the cage's output folder. Asked once for each command line, and kept (kept.h). Throws Error where
// nvcc says what is not understood.
NvccSteps find_nvcc_steps(const Toolchain& tools, const Sandbox& sandbox,
                          const Sandbox::Build& cage, const std::vector<std::string>& arguments,
                          const std::string& source, const std::string& ptx);

// "instances.cpp1.ii" of "hw02/instances.cu".
std::string preprocessed_name(const std::string& source);

}  // namespace lockstep::grader
