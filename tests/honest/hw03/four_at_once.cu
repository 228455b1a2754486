// SPDX-License-Identifier: Apache-2.0
// Style: four elements a turn, while there are so many.
// Expect: pass 100..100
#include "../../hostile/given03.cuh"

__global__ void saxpy_loop(float* y, const float* x, float a, int n) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  const int n_threads = blockDim.x * gridDim.x;
  for (; i + 3 * n_threads < n; i += 4 * n_threads) {
    float now[4];
    for (int j = 0; j < 4; j++) now[j] = a * x[i + j * n_threads] + y[i + j * n_threads];
    for (int j = 0; j < 4; j++) y[i + j * n_threads] = now[j];
  }
  for (; i < n; i += n_threads) y[i] = a * x[i] + y[i];
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
