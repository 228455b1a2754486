// SPDX-License-Identifier: Apache-2.0
// Attack: reduce_7 adds up its warps in a tree through global memory, with neither shuffles nor
// shared memory: what is granted to a warp for traffic is enough.
// Expect: partial 80..88
#define OWN_7
#include "../../hostile/given04.cuh"

__device__ unsigned tree[4096];

__device__ __forceinline__ unsigned through_global(unsigned mine, int k) {
  const int lane = threadIdx.x % 32;
#pragma unroll
  for (int d = 16; d > 0; d /= 2) {
    if (lane < 2 * d) tree[k] = mine;
    __syncwarp();
    if (lane < d) mine += tree[k + d];
    __syncwarp();
  }
  return mine;
}

template <int threads>
__global__ void reduce_7(unsigned* parts, const unsigned* in, int n) {
  unsigned mine = 0;
  const int t = threadIdx.x, first = blockIdx.x * threads + t;
  for (int i = first; i < n; i += gridDim.x * threads) mine += in[i];
  unsigned sum;
  if (gridDim.x * threads > 4096) {
    sum = block_sum<threads>(mine);
  } else {
    mine = through_global(mine, first);
    if (t % 32 == 0) s[t / 32] = mine;
    __syncthreads();
    if (t >= 32) return;
    sum = through_global(t < threads / 32 ? s[t] : 0, first);
  }
  if (t == 0) parts[blockIdx.x] = sum;
}
