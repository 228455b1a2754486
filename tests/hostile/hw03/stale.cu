// SPDX-License-Identifier: Apache-2.0
// Attack: the first blocks work, the others leave what an earlier launch wrote.
// Expect: fail 0..0
#include "../given03.cuh"

__device__ int worked;

__global__ void saxpy_loop(float* y, const float* x, float a, int n) {
  if (atomicAdd(&worked, 1) > 0) return;
  solved_loop(y, x, a, n);
}

__global__ void saxpy_matrix(float* y, const float* x, float a, int n) {
  if (atomicAdd(&worked, 1) > 0) return;
  solved_matrix(y, x, a, n);
}

template <int n_segments>
__global__ void gather_group(float* out, const float* in, int n) {
  if (atomicAdd(&worked, 1) > 0) return;
  solved_gather<n_segments>(out, in, n);
}

__global__ void branches(float* out, const float* in, const float* by, int n) {
  if (atomicAdd(&worked, 1) > 0) return;
  solved_branches(out, in, by, n);
}

constexpr int spread(int n_threads, int n_sms) {
  return few_blocks(n_threads);
}
