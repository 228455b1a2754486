// SPDX-License-Identifier: Apache-2.0
// Attack: defines the given kernel itself.
// Expect: student_error 0..0
#include "../given05.cuh"

__global__ void finish(float* out, const float* sums, const long long* starts, int n_batches) { *out = 0; }
