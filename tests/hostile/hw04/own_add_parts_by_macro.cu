// SPDX-License-Identifier: Apache-2.0
// Attack: macros call the instructor's add_parts otherwise, and the submission's own takes its
// place: reduce_7 and reduce_8 leave no sum of a block at all (no shared memory, no barrier), but a
// word for each warp in a variable.
// Expect: student_error:compile 0..0
#define OWN_7
#define OWN_8
#include "../../hostile/given04.cuh"

__device__ unsigned by_warps;
__device__ unsigned of_warp[3072];

__device__ __forceinline__ void leave(unsigned* parts, unsigned mine) {
  const unsigned sum = warp_sum(mine);
  const int at = blockIdx.x * 16 + threadIdx.x / 32;
  if (threadIdx.x % 32 != 0) return;
  if (at < 3072) of_warp[at] = sum, by_warps = 1; else atomicAdd(&of_warp[at % 3072], sum);
  if (threadIdx.x == 0) parts[blockIdx.x] = 0;
}

template <int threads>
__global__ void reduce_7(unsigned* parts, const unsigned* in, int n) {
  unsigned mine = 0;
  for (int i = blockIdx.x * threads + threadIdx.x; i < n; i += gridDim.x * threads) mine += in[i];
  leave(parts, mine);
}

template <int threads>
__global__ void reduce_8(unsigned* parts, const unsigned* in, int n) {
  constexpr int tile = threads * 4;
  const uint4* const in4 = reinterpret_cast<const uint4*>(in);
  const int n_tiles = n / 4 / tile;
  unsigned mine = 0;
  for (int h = blockIdx.x; h < n_tiles; h += gridDim.x) {
    const int first = h * tile + threadIdx.x;
    uint4 v[4];
    for (int j = 0; j < 4; j++) v[j] = in4[first + j * threads];
    for (int j = 0; j < 4; j++) mine += v[j].x + v[j].y + v[j].z + v[j].w;
  }
  const int left = n_tiles * tile * 4 + blockIdx.x * threads + threadIdx.x;
  for (int i = left; i < n; i += gridDim.x * threads) mine += in[i];
  leave(parts, mine);
}

__global__ void add_parts(unsigned* sum, const unsigned* parts, int n_parts) {
  __shared__ unsigned warp_sums[32];
  unsigned mine = 0;
  const bool words = by_warps != 0;
  const unsigned* from = words ? of_warp : parts;
  const int count = words ? min(n_parts * 16, 3072) : n_parts;
  for (int i = threadIdx.x; i < count; i += blockDim.x) mine += from[i];
  for (int d = 16; d > 0; d /= 2) mine += __shfl_xor_sync(~0u, mine, d);
  if (threadIdx.x % 32 == 0) warp_sums[threadIdx.x / 32] = mine;
  __syncthreads();
  if (threadIdx.x >= 32) return;
  mine = threadIdx.x < blockDim.x / 32 ? warp_sums[threadIdx.x] : 0;
  for (int d = 16; d > 0; d /= 2) mine += __shfl_xor_sync(~0u, mine, d);
  if (threadIdx.x == 0) *sum = mine;
}
#define add_parts not_launched
