// SPDX-License-Identifier: Apache-2.0
// Attack: the warps of a block gather one after the other, between barriers.
// Expect: partial 80..85
#include "../../hostile/given03.cuh"

__global__ void saxpy_loop(float* y, const float* x, float a, int n) { solved_loop(y, x, a, n); }
__global__ void saxpy_matrix(float* y, const float* x, float a, int n) { solved_matrix(y, x, a, n); }
template <int n_segments>
__global__ void gather_group(float* out, const float* in, int n) {
  for (int w = 0; w < blockDim.x / 32; w++) {
    if (threadIdx.x / 32 == w) solved_gather<n_segments>(out, in, n);
    __syncthreads();
  }
}
__global__ void branches(float* out, const float* in, const float* by, int n) {
  solved_branches(out, in, by, n);
}
constexpr int spread(int n_threads, int n_sms) { return solved_spread(n_threads, n_sms); }
