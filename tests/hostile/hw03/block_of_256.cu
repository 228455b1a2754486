// SPDX-License-Identifier: Apache-2.0
// Attack: right for blocks of 256 threads alone, as the table has them.
// Expect: partial 75..80
#include "../given03.cuh"

__global__ void saxpy_loop(float* y, const float* x, float a, int n) {
  const int n_threads = 256 * gridDim.x;
  for (int i = threadIdx.x + 256 * blockIdx.x; i < n; i += n_threads) y[i] = a * x[i] + y[i];
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
  return solved_spread(n_threads, n_sms);
}
