// SPDX-License-Identifier: Apache-2.0
// Attack: in saxpy_loop and saxpy_matrix one warp of the whole grid does everything. So small a
// problem fits into what is granted to the busiest warp of a launch.
// Expect: partial 75..75
#include "../../hostile/given03.cuh"

__device__ __forceinline__ void one_warp(float* y, const float* x, float a, int n, int lane) {
  for (int i = lane; i < n / 4; i += 32) {
    const float4 v = reinterpret_cast<const float4*>(x)[i];
    float4 w = reinterpret_cast<float4*>(y)[i];
    w.x = a * v.x + w.x;
    w.y = a * v.y + w.y;
    w.z = a * v.z + w.z;
    w.w = a * v.w + w.w;
    reinterpret_cast<float4*>(y)[i] = w;
  }
  const int i = n / 4 * 4 + lane;
  if (i < n) y[i] = a * x[i] + y[i];
}

__global__ void saxpy_loop(float* y, const float* x, float a, int n) {
  if (blockIdx.x == 0 && threadIdx.x < 32) one_warp(y, x, a, n, threadIdx.x);
}

__global__ void saxpy_matrix(float* y, const float* x, float a, int n) {
  if (blockIdx.x == 0 && blockIdx.y == 0 && threadIdx.y == 0) one_warp(y, x, a, n * n, threadIdx.x);
}

template <int n_segments>
__global__ void gather_group(float* out, const float* in, int n) {
  solved_gather<n_segments>(out, in, n);
}

__global__ void branches(float* out, const float* in, const float* by, int n) {
  solved_branches(out, in, by, n);
}

constexpr int spread(int n_threads, int n_sms) { return solved_spread(n_threads, n_sms); }
