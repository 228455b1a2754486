// SPDX-License-Identifier: Apache-2.0
// Attack: writes zeros, the average of what is expected.
// Expect: fail 0..0
#include "../given03.cuh"

__global__ void saxpy_loop(float* y, const float* x, float a, int n) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  const int n_threads = blockDim.x * gridDim.x;
  for (int k = i; k < n; k += n_threads) y[k] = 0;
}

__global__ void saxpy_matrix(float* y, const float* x, float a, int n) {
  const int row = threadIdx.y + blockIdx.y * blockDim.y;
  const int col = threadIdx.x + blockIdx.x * blockDim.x;
  if (row < n && col < n) y[row * n + col] = 0;
}

template <int n_segments>
__global__ void gather_group(float* out, const float* in, int n) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  out[i] = 0;
}

__global__ void branches(float* out, const float* in, const float* by, int n) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i < n) out[i] = 0;
}

constexpr int spread(int n_threads, int n_sms) {
  return few_blocks(n_threads);
}
