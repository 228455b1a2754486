// SPDX-License-Identifier: Apache-2.0
// Attack: in all four parts the warps of a block work one after the other: each waits at as many barriers as warps come
// before it, works, and ends; its end, not its coming to the barrier, lets the next one go. What warps wait for such an
// end is in no way through the block, and four barriers a warp are granted.
// Expect: partial 35..60
// Expect gpu: pass|partial 35..100
#include "../given03.cuh"

// A warp waits for those before it, and ends when it has done its work.
__device__ void wait_for(int warps) {
#pragma unroll 4
  for (int i = 0; i < warps; i++) __syncthreads();
}

__global__ void saxpy_loop(float* y, const float* x, float a, int n) {
  wait_for(threadIdx.x / 32);
  solved_loop(y, x, a, n);
}

__global__ void saxpy_matrix(float* y, const float* x, float a, int n) {
  wait_for(threadIdx.y);
  solved_matrix(y, x, a, n);
}

template <int n_segments>
__global__ void gather_group(float* out, const float* in, int n) {
  const int warp = threadIdx.x / 32;
  wait_for(blockDim.x > 256 ? warp / 2 : warp);
  solved_gather<n_segments>(out, in, n);
}

__global__ void branches(float* out, const float* in, const float* by, int n) {
  wait_for(threadIdx.x / 32);
  solved_branches(out, in, by, n);
}

constexpr int spread(int n_threads, int n_sms) { return solved_spread(n_threads, n_sms); }
