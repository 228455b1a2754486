// SPDX-License-Identifier: Apache-2.0
// Attack: no shuffles anywhere: lanes meet by atomic operations on eight words of a variable.
// Expect: partial 45..87
// Expect gpu: pass|partial 45..100
#define OWN_3
#define OWN_ADD_BLOCK
#include "../given05.cuh"

constexpr int most_blocks = 500;
__device__ alignas(32) float pool[most_blocks * 8];  // 0 before each execution

__device__ void add_block(float* sums, float x) {
  const int t = threadIdx.x;
  if (gridDim.x * gridDim.y <= most_blocks) {
    float* const words = pool + 8 * (blockIdx.y * gridDim.x + blockIdx.x);
    atomicAdd(&words[t % 8], x);
    __syncthreads();
    if (t < 8) atomicAdd(&sums[blockIdx.y], __ldcg(&words[t]));
  } else {
    s[t] = x;
    __syncthreads();
    if (t >= 32) return;
    for (int j = t + 32; j < blockDim.x; j += 32) x += s[j];
    atomicAdd(&sums[blockIdx.y], x);
  }
}

__global__ void rmse_3(float* sums, const float* a, const float* b, const long long* starts) {
  add_block(sums, my_sum(a, b, starts));
}
