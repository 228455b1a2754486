// SPDX-License-Identifier: Apache-2.0
// Attack: rmse_2 and rmse_3 store the block's sum where they are to add it: right with one block a batch.
// Expect: partial 48..56
// Expect gpu: partial 48..56
#define OWN_2
#define OWN_3
#include "../given05.cuh"

__device__ void store_block(float* sums, float x) {
  const int t = threadIdx.x;
  x = warp_sum(x);
  if (t % 32 == 0) s[t / 32] = x;
  __syncthreads();
  if (t >= 32) return;
  x = warp_sum(t < blockDim.x / 32 ? s[t] : 0);
  if (t == 0) sums[blockIdx.y] = x;
}

__global__ void rmse_2(float* sums, const float* a, const float* b, const long long* starts) {
  store_block(sums, my_sum(a, b, starts));
}

__global__ void rmse_3(float* sums, const float* a, const float* b, const long long* starts) {
  store_block(sums, my_sum(a, b, starts));
}
