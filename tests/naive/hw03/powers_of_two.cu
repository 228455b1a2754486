// SPDX-License-Identifier: Apache-2.0
// Style: blocks of a power of two, as in the table; on other cards that leaves SMs without any.
// Expect: partial 85..85
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

constexpr int spread(int n_threads, int n_sms) {
  int size = 32;
  while (size < 1024 && n_threads > size * n_sms) size *= 2;
  return size;
}
