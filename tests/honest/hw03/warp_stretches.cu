// SPDX-License-Identifier: Apache-2.0
// Style: a warp has a stretch of its own, whose segments it takes one after the other.
// Expect: pass 100..100
#include "../../hostile/given03.cuh"

__global__ void saxpy_loop(float* y, const float* x, float a, int n) {
  const int tid = threadIdx.x + blockIdx.x * blockDim.x;
  const int n_warps = blockDim.x * gridDim.x / 32;
  const int n_segments = (n + 31) / 32;
  const int share = (n_segments + n_warps - 1) / n_warps;
  const int start = tid / 32 * share;
  for (int s = start; s < min(start + share, n_segments); s++) {
    const int i = 32 * s + tid % 32;
    if (i < n) y[i] += a * x[i];
  }
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
