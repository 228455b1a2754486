// SPDX-License-Identifier: Apache-2.0
// Attack: spread() never looks at n_sms: blocks for one card and for powers of two of threads,
// wrong for any other number of SMs (60, 108, 144) and any other number of threads.
// Expect: student_error|partial 85..85
#include "../../hostile/given03.cuh"

__global__ void saxpy_loop(float* y, const float* x, float a, int n) {
  solved_loop(y, x, a, n);
}

__global__ void saxpy_matrix(float* y, const float* x, float a, int n) {
  solved_matrix(y, x, a, n);
}

template <int n_segments>
__global__ void gather_group(float* out, const float* in, int n) {
  solved_gather<n_segments>(out, in, n);
}

__global__ void branches(float* out, const float* in, const float* by, int n) {
  solved_branches(out, in, by, n);
}

constexpr int spread(int n_threads, int) {
  return n_threads <= 4096 ? 32 : (n_threads / 128 + 31) / 32 * 32;
}
