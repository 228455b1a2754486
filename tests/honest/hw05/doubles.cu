// SPDX-License-Identifier: Apache-2.0
// Style: a thread's sum is a double, and the loop counts with long long all the way.
// Expect: pass 100..100
#define OWN_1
#define OWN_2
#include "../../hostile/given05.cuh"

__device__ float long_sum(const float* a, const float* b, const long long* starts) {
  double sum = 0;
  const long long end = starts[blockIdx.y + 1], step = gridDim.x * blockDim.x;
  for (long long i = starts[blockIdx.y] + blockIdx.x * blockDim.x + threadIdx.x; i < end; i += step)
    sum += square(a[i], b[i]);
  return sum;
}

__global__ void rmse_1(float* sums, const float* a, const float* b, const long long* starts) {
  atomicAdd(&sums[blockIdx.y], long_sum(a, b, starts));
}

__global__ void rmse_2(float* sums, const float* a, const float* b, const long long* starts) {
  const int t = threadIdx.x;
  s[t] = long_sum(a, b, starts);
  __syncthreads();
  int half = (blockDim.x + 1) / 2;
  for (int n = blockDim.x; n > 1; n = half, half = (n + 1) / 2) {
    if (t + half < n) s[t] += s[t + half];
    __syncthreads();
  }
  if (t == 0) atomicAdd(&sums[blockIdx.y], s[0]);
}
