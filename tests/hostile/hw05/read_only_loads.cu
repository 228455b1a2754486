// SPDX-License-Identifier: Apache-2.0
// Attack: sums that other blocks write are read by __ldg, which need not see them.
// Expect: partial 50..70
// Expect gpu: pass|partial|fail 0..100
#define OWN_3
#include "../given05.cuh"

// Warps add up with shuffles. A block leaves its sum in `shares`, and who comes
// last in a batch adds these up, in their order: the same bits each time.
__device__ float shares[3072];
__device__ unsigned left_theirs[64];

// Brings the words of the batch near, early on. None is below zero, so this
// is 0.
__device__ __forceinline__ float fetch_shares() {
  float least = 0;
  const float* const words = shares + blockIdx.y * gridDim.x;
  if (threadIdx.x < 32)
    for (int j = 8 * threadIdx.x; j < gridDim.x; j += 256)
      least = fminf(least, __ldg(&words[j]));
  return least;
}

__global__ void rmse_3(float* sums, const float* a, const float* b,
                       const long long* starts) {
  const int t = threadIdx.x;
  float x = fetch_shares();
  x = warp_sum(x + my_sum(a, b, starts));
  if (t % 32 == 0) s[t / 32] = x;
  __syncthreads();
  if (t >= 32) return;
  x = warp_sum(t < blockDim.x / 32 ? s[t] : 0);
  float* const words = shares + blockIdx.y * gridDim.x;
  unsigned ticket = 0;
  if (t == 0) {
    atomicExch(&words[blockIdx.x], x);
    __threadfence();
    ticket = atomicAdd(&left_theirs[blockIdx.y], 1u);
  }
  ticket = __shfl_sync(~0u, ticket, 0);
  if (ticket != gridDim.x - 1) return;
  __threadfence();
  float all = 0;
  for (int j = t; j < gridDim.x; j += 32) all += __ldg(&words[j]);
  all = warp_sum(all);
  if (t == 0) sums[blockIdx.y] = all;
}
