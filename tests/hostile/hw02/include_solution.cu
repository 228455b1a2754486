// SPDX-License-Identifier: Apache-2.0
// Attack: includes the instructor's solution.
// Expect: student_error:compile 0..0
#define SOLUTION 1
#include "solutions/hw02/hw02.cu"
