// SPDX-License-Identifier: Apache-2.0
// Attack: computes in half precision.
// Expect: fail 0..0
#include "../given03.cuh"

#include <cuda_fp16.h>

__device__ float rounded(float x) { return __half2float(__float2half(x)); }

__global__ void saxpy_loop(float* y, const float* x, float a, int n) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  const int n_threads = blockDim.x * gridDim.x;
  for (int k = i; k < n; k += n_threads) y[k] = rounded(a * x[k] + y[k]);
}

__global__ void saxpy_matrix(float* y, const float* x, float a, int n) {
  const int row = threadIdx.y + blockIdx.y * blockDim.y;
  const int col = threadIdx.x + blockIdx.x * blockDim.x;
  if (row < n && col < n) y[row * n + col] = rounded(y[row * n + col] + a * x[row * n + col]);
}

template <int n_segments>
__global__ void gather_group(float* out, const float* in, int n) {
  solved_gather<n_segments>(out, in, n);
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  out[i] = rounded(out[i]);
}

__global__ void branches(float* out, const float* in, const float* by, int n) {
  solved_branches(out, in, by, n);
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i < n) out[i] = rounded(out[i]);
}

constexpr int spread(int n_threads, int n_sms) {
  return few_blocks(n_threads);
}
