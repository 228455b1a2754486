// SPDX-License-Identifier: Apache-2.0
// Style: every kernel does its work as the one before it does, and each batch has one block.
// Expect: partial 20..32
#define OWN_SHAPE
#define OWN_1
#define OWN_2
#define OWN_3
#define OWN_4
#define OWN_VIEW
constexpr int kThreads = 256;
constexpr int kBlocks = 1;
#include "../../hostile/given05.cuh"

__global__ void rmse_1(float* sums, const float* a, const float* b, const long long* starts) {
  add_each(sums, a, b, starts);
}

__global__ void rmse_2(float* sums, const float* a, const float* b, const long long* starts) {
  atomicAdd(&sums[blockIdx.y], my_sum(a, b, starts));
}

__global__ void rmse_3(float* sums, const float* a, const float* b, const long long* starts) {
  const int t = threadIdx.x;
  s[t] = my_sum(a, b, starts);
  __syncthreads();
  for (int n = blockDim.x; n > 1; n -= n / 2) {
    if (t < n / 2) s[t] += s[t + n - n / 2];
    __syncthreads();
  }
  if (t == 0) atomicAdd(&sums[blockIdx.y], s[0]);
}

__device__ void add_fast(float* sums, const float* a, const float* b, const long long* starts) {
  add_block(sums, my_sum(a, b, starts));
}

__global__ void view_cheap(float* sums, const float* a, const float* b, int height, int width, int pitch) {
  view<int>(sums, a, b, height, width, pitch);
}
