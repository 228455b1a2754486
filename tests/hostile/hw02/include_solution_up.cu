// SPDX-License-Identifier: Apache-2.0
// Attack: the same by a path that leaves the folder.
// Expect: student_error:forbidden 0..0
#define SOLUTION 1
#include "../solutions/hw02/hw02.cu"
