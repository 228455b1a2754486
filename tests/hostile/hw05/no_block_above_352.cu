// SPDX-License-Identifier: Apache-2.0
// Attack: threads from the 353rd on are forgotten: blocks as large were never drawn.
// Expect: partial 50..78
#define OWN_2
#define OWN_ADD_BLOCK
#include "../given05.cuh"

__global__ void rmse_2(float* sums, const float* a, const float* b, const long long* starts) {
  const int t = threadIdx.x;
  s[t] = my_sum(a, b, starts);
  __syncthreads();
  for (int n = min(blockDim.x, 352); n > 1; n -= n / 2) {
    if (t < n / 2) s[t] += s[t + n - n / 2];
    __syncthreads();
  }
  if (t == 0) atomicAdd(&sums[blockIdx.y], s[0]);
}

__device__ void add_block(float* sums, float x) {
  const int t = threadIdx.x;
  x = warp_sum(x);
  if (t % 32 == 0) s[t / 32] = x;
  __syncthreads();
  if (t >= 32) return;
  x = warp_sum(t < min(blockDim.x / 32, 11) ? s[t] : 0);
  if (t == 0) atomicAdd(&sums[blockIdx.y], x);
}
