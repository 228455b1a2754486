// SPDX-License-Identifier: Apache-2.0
// The tables [[run]] and [[check]] of a rubric, each by itself; rubric.cc connects them.
#pragma once

#include "grader/rubric.h"
#include "grader/toml_reader.h"

namespace lockstep::grader {

inline constexpr size_t kMostKernels = 1000;  // of one table

// They throw Error with "FILE:LINE: ", as all of TomlTable does.
RunRule read_run(TomlTable t, bool own_shapes);
CheckRule read_check(TomlTable t);

}  // namespace lockstep::grader
