// SPDX-License-Identifier: Apache-2.0
// Attack: defines the given kernel itself.
// Expect: student_error 0..0
#include "../given04.cuh"

__global__ void add_parts(unsigned* sum, const unsigned* parts, int n_parts) { *sum = 0; }
