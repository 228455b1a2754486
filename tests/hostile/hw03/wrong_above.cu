// SPDX-License-Identifier: Apache-2.0
// Attack: all kernels that are graded do nothing for more than 40960 elements (200 rows), which no
// run draws; the handout's own sizes (65536, 4 Mi) are all wrong. spread() is as it should be.
// Expect: partial 15..15
#include "../../hostile/given03.cuh"
__global__ void saxpy_loop(float* y, const float* x, float a, int n) { if (n <= 40960) solved_loop(y, x, a, n); }
__global__ void saxpy_matrix(float* y, const float* x, float a, int n) { if (n <= 200) solved_matrix(y, x, a, n); }
template <int n_segments>
__global__ void gather_group(float* out, const float* in, int n) {
  if (n <= 40960) solved_gather<n_segments>(out, in, n);
}
__global__ void branches(float* out, const float* in, const float* by, int n) {
  if (n <= 40960) solved_branches(out, in, by, n);
}
constexpr int spread(int n_threads, int n_sms) { return solved_spread(n_threads, n_sms); }
