// SPDX-License-Identifier: Apache-2.0
// Attack: a warp of saxpy_matrix stores in six goes, every sixth lane in each, and one of
// saxpy_loop in two: as many times the store sectors. What a warp is granted (20 sectors, 640
// bytes) is several times what it has to store.
// Expect: partial 92..92
#include "../../hostile/given03.cuh"
__global__ void saxpy_loop(float* y, const float* x, float a, int n) {
  const int tid = threadIdx.x + blockIdx.x * blockDim.x;
  for (int i = tid; i < n; i += blockDim.x * gridDim.x) {
    const float value = a * x[i] + y[i];
    for (int k = 0; k < 2; k++)
      if (threadIdx.x % 2 == k) *(volatile float*)(y + i) = value;
  }
}
__global__ void saxpy_matrix(float* y, const float* x, float a, int n) {
  const int row = threadIdx.y + blockIdx.y * blockDim.y;
  const int col = threadIdx.x + blockIdx.x * blockDim.x;
  if (row >= n || col >= n) return;
  const float value = a * x[row * n + col] + y[row * n + col];
  for (int k = 0; k < 6; k++)
    if (threadIdx.x % 6 == k) *(volatile float*)(y + row * n + col) = value;
}
template <int n_segments>
__global__ void gather_group(float* out, const float* in, int n) { solved_gather<n_segments>(out, in, n); }
__global__ void branches(float* out, const float* in, const float* by, int n) { solved_branches(out, in, by, n); }
constexpr int spread(int n_threads, int n_sms) { return solved_spread(n_threads, n_sms); }
