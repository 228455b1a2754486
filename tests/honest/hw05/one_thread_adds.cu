// SPDX-License-Identifier: Apache-2.0
// Style: one thread of rmse_2 adds up what its block's threads have.
// Expect: pass 100..100
#define OWN_2
#include "../../hostile/given05.cuh"

__global__ void rmse_2(float* sums, const float* a, const float* b, const long long* starts) {
  s[threadIdx.x] = my_sum(a, b, starts);
  __syncthreads();
  if (threadIdx.x > 0) return;
  float sum = 0;
  for (int i = 0; i < blockDim.x; i++) sum += s[i];
  atomicAdd(&sums[blockIdx.y], sum);
}
