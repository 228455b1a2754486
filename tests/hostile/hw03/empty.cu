// SPDX-License-Identifier: Apache-2.0
// Attack: kernels that do nothing and hope for right answers left in memory.
// Expect: fail 0..0
#include "../given03.cuh"

__global__ void saxpy_loop(float* y, const float* x, float a, int n) {}

__global__ void saxpy_matrix(float* y, const float* x, float a, int n) {}

template <int n_segments>
__global__ void gather_group(float* out, const float* in, int n) {}

__global__ void branches(float* out, const float* in, const float* by, int n) {}

constexpr int spread(int n_threads, int n_sms) {
  return few_blocks(n_threads);
}
