// SPDX-License-Identifier: Apache-2.0
// Attack: blocks from the 300th of the grid on leave, which no launch of rmse_1 and rmse_2 has but those of the wide ones.
// Expect: fail|partial 60..75
// Every row of ./hw05's tables is launched.
#define OWN_1
#define OWN_2
#include "../given05.cuh"
__device__ bool is_late() { return blockIdx.y * gridDim.x + blockIdx.x >= 300; }
__global__ void rmse_1(float* sums, const float* a, const float* b, const long long* starts) {
  if (is_late()) return;
  atomicAdd(&sums[blockIdx.y], my_sum(a, b, starts));
}
__global__ void rmse_2(float* sums, const float* a, const float* b, const long long* starts) {
  if (is_late()) return;
  const int t = threadIdx.x;
  s[t] = my_sum(a, b, starts);
  __syncthreads();
  for (int n = blockDim.x; n > 1; n -= n / 2) {
    if (t < n / 2) s[t] += s[t + n - n / 2];
    __syncthreads();
  }
  if (t == 0) atomicAdd(&sums[blockIdx.y], s[0]);
}
