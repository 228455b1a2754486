// SPDX-License-Identifier: Apache-2.0
// Attack: a launch shape that is none: each kernel is launched in it, too, and what does not depend on it is graded.
// Expect: student_error|partial 20..40
#define OWN_SHAPE
constexpr int kThreads = 2000;
constexpr int kBlocks = -1;
#include "../given05.cuh"
