// SPDX-License-Identifier: Apache-2.0
// Attack: rmse_1 and rmse_2 are counted with up to four blocks a batch. With more they are checked alone, and do the
// starter's work.
// Expect: partial 75..75
// Expect gpu: pass|partial 75..100
#define OWN_1
#define OWN_2
#include "../given05.cuh"

__global__ void rmse_1(float* sums, const float* a, const float* b, const long long* starts) {
  if (gridDim.x > 4)
    add_each(sums, a, b, starts);
  else
    atomicAdd(&sums[blockIdx.y], my_sum(a, b, starts));
}

__global__ void rmse_2(float* sums, const float* a, const float* b, const long long* starts) {
  if (gridDim.x > 4) return add_each(sums, a, b, starts);
  const int t = threadIdx.x;
  s[t] = my_sum(a, b, starts);
  __syncthreads();
  for (int n = blockDim.x; n > 1; n -= n / 2) {
    if (t < n / 2) s[t] += s[t + n - n / 2];
    __syncthreads();
  }
  if (t == 0) add_part(sums, s[0]);
}
