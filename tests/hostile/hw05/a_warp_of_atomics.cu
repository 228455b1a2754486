// SPDX-License-Identifier: Apache-2.0
// Attack: no block comes to one number: up to 32 lanes add theirs to the sum of the batch in one
// instruction, which is one request.
// Expect: partial 70..87
// Expect gpu: pass|partial 70..100
#define OWN_2
#define OWN_ADD_BLOCK
#include "../given05.cuh"

__global__ void rmse_2(float* sums, const float* a, const float* b, const long long* starts) {
  const int t = threadIdx.x;
  s[t] = my_sum(a, b, starts);
  __syncthreads();
  const int lanes = blockDim.x >= 128 ? 32 : 16;
  if (t >= lanes) return;
  float sum = 0;
  for (int j = t; j < blockDim.x; j += lanes) sum += s[j];
  atomicAdd(&sums[blockIdx.y], sum);
}

__device__ void add_block(float* sums, float x) {
  const int t = threadIdx.x;
  x = warp_sum(x);
  if (t % 32 == 0) s[t / 32] = x;
  __syncthreads();
  if (t < blockDim.x / 32) atomicAdd(&sums[blockIdx.y], s[t]);
}
