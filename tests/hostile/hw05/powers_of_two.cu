// SPDX-License-Identifier: Apache-2.0
// Attack: rmse_2 halves blockDim.x, which loses threads where it is no power of two.
// Expect: partial 83..86
#define OWN_2
#include "../given05.cuh"

__global__ void rmse_2(float* sums, const float* a, const float* b, const long long* starts) {
  const int t = threadIdx.x;
  s[t] = my_sum(a, b, starts);
  __syncthreads();
  for (int d = blockDim.x / 2; d > 0; d /= 2) {
    if (t < d) s[t] += s[t + d];
    __syncthreads();
  }
  if (t == 0) atomicAdd(&sums[blockIdx.y], s[0]);
}
