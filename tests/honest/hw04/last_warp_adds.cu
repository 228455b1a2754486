// SPDX-License-Identifier: Apache-2.0
// Style: no barrier behind the loops: each warp leaves its sum and draws a number, and whoever draws the last one adds up.
// Expect: pass 100..100
#define OWN_6
#define OWN_8
#include "../../hostile/given04.cuh"

__shared__ unsigned ready;  // warps of the block that have left their sums

__device__ __forceinline__ unsigned sum_over_warp(unsigned mine) {
  for (int d = 16; d > 0; d /= 2) mine += __shfl_down_sync(~0u, mine, d);
  return mine;
}

__device__ __forceinline__ void begin_count() {
  if (threadIdx.x == 0) ready = 0;
  __syncthreads();
}

template <int threads>
__device__ __forceinline__ void leave_part(unsigned* parts, unsigned mine) {
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  mine = sum_over_warp(mine);
  unsigned drawn = 0;
  if (lane == 0) {
    s[warp] = mine;
    __threadfence_block();  // the sum is there before the number is drawn
    drawn = atomicAdd(&ready, 1u);
    __threadfence_block();  // and what others have left is read after that
  }
  drawn = __shfl_sync(~0u, drawn, 0);
  if (drawn != threads / 32 - 1) return;
  __syncwarp();
  const unsigned sum = sum_over_warp(lane < threads / 32 ? s[lane] : 0u);
  if (lane == 0) parts[blockIdx.x] = sum;
}

template <int threads>
__global__ void reduce_6(unsigned* parts, const unsigned* in, int n) {
  begin_count();
  unsigned mine = 0;
  for (int i = blockIdx.x * threads + threadIdx.x; i < n; i += gridDim.x * threads) mine += in[i];
  leave_part<threads>(parts, mine);
}

template <int threads>
__global__ void reduce_8(unsigned* parts, const unsigned* in, int n) {
  begin_count();
  const uint4* const in4 = reinterpret_cast<const uint4*>(in);
  const int tiles = n / 4 / (4 * threads);
  unsigned mine = 0;
  for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
    const uint4* const from = in4 + tile * 4 * threads + threadIdx.x;
    const uint4 a = from[0], b = from[threads], c = from[2 * threads], d = from[3 * threads];
    mine += a.x + a.y + a.z + a.w + b.x + b.y + b.z + b.w;
    mine += c.x + c.y + c.z + c.w + d.x + d.y + d.z + d.w;
  }
  int i = tiles * 16 * threads + blockIdx.x * threads + threadIdx.x;
  for (; i < n; i += gridDim.x * threads) mine += in[i];
  leave_part<threads>(parts, mine);
}
