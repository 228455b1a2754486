// SPDX-License-Identifier: Apache-2.0
// Style: counts through all that follows its batch's start, and asks for each element which batch it is in.
// Expect: partial 25..40
#define OWN_1
#define OWN_2
#define OWN_3
#define OWN_4
#include "../../hostile/given05.cuh"

__device__ int batch_of(long long i, const long long* starts) {
  int k = 0;
  while (starts[k + 1] <= i) k++;
  return k;
}

__device__ float searched(const float* a, const float* b, const long long* starts) {
  const int k = blockIdx.y;
  const long long end = starts[k + 1];
  float sum = 0;
  for (long long i = starts[k] + blockIdx.x * blockDim.x + threadIdx.x; i < end;
       i += gridDim.x * blockDim.x)
    if (batch_of(i, starts) == k) sum += square(a[i], b[i]);
  return sum;
}

__global__ void rmse_1(float* sums, const float* a, const float* b, const long long* starts) {
  atomicAdd(&sums[blockIdx.y], searched(a, b, starts));
}

__global__ void rmse_2(float* sums, const float* a, const float* b, const long long* starts) {
  add_block(sums, searched(a, b, starts));
}

__global__ void rmse_3(float* sums, const float* a, const float* b, const long long* starts) {
  add_block(sums, searched(a, b, starts));
}

__device__ void add_fast(float* sums, const float* a, const float* b, const long long* starts) {
  add_block(sums, searched(a, b, starts));
}
