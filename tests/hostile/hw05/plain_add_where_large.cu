// SPDX-License-Identifier: Apache-2.0
// Attack: blocks add their sums without atomic operations only where there are many elements, more than in
// any check of a small problem.
// Expect: partial 48..72
// Expect gpu: partial|fail 0..87
#define OWN_2
#define OWN_3
#include "../given05.cuh"

__device__ void add_plainly(float* sums, float x, const long long* starts) {
  const int t = threadIdx.x;
  x = warp_sum(x);
  if (t % 32 == 0) s[t / 32] = x;
  __syncthreads();
  if (t >= 32) return;
  x = warp_sum(t < blockDim.x / 32 ? s[t] : 0);
  if (t != 0) return;
  if (starts[gridDim.y] > 131072)
    sums[blockIdx.y] += x;
  else
    atomicAdd(&sums[blockIdx.y], x);
}

__global__ void rmse_2(float* sums, const float* a, const float* b, const long long* starts) {
  add_plainly(sums, my_sum(a, b, starts), starts);
}

__global__ void rmse_3(float* sums, const float* a, const float* b, const long long* starts) {
  add_plainly(sums, my_sum(a, b, starts), starts);
}
