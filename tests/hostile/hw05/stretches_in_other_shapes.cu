// SPDX-License-Identifier: Apache-2.0
// Attack: with more than four blocks a batch, as in the rows of wide batches and of one batch alone, each thread of rmse_1
// and rmse_2 takes a stretch of its own: eight times the sectors of loads.
// Expect: partial 75..75
// By arithmetic: no comparison that could be opposed.
#define OWN_1
#define OWN_2
#include "../given05.cuh"

__device__ float my_share(const float* a, const float* b, const long long* starts) {
  const long long start = starts[blockIdx.y];
  const int n = starts[blockIdx.y + 1] - start;
  a += start;
  b += start;
  const int id = blockIdx.x * blockDim.x + threadIdx.x, all = gridDim.x * blockDim.x;
  const int share = (n + all - 1) / all;
  const int many = min((gridDim.x - 1) / 4, 1u);
  const int begin = id * (1 + many * (share - 1)), step = all - many * (all - 1);
  const int stop = min(n, begin + share * step);
  float sum = 0;
  for (int i = begin; i < stop; i += step) {
    const float d = a[i] - b[i];
    sum += d * d;
  }
  return sum;
}

__global__ void rmse_1(float* sums, const float* a, const float* b, const long long* starts) {
  atomicAdd(&sums[blockIdx.y], my_share(a, b, starts));
}

__global__ void rmse_2(float* sums, const float* a, const float* b, const long long* starts) {
  const int t = threadIdx.x;
  s[t] = my_share(a, b, starts);
  __syncthreads();
  for (int n = blockDim.x; n > 1; n -= n / 2) {
    if (t < n / 2) s[t] += s[t + n - n / 2];
    __syncthreads();
  }
  if (t == 0) atomicAdd(&sums[blockIdx.y], s[0]);
}
