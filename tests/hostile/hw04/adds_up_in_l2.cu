// SPDX-License-Identifier: Apache-2.0
// Attack: reduce_7 and reduce_8 have no sum of a block: each lane adds to one of eight words of one sector
// in L2, four lanes to a word, so that it takes few turns.
// Expect: partial 60..91
// Expect gpu: pass|partial 60..100
#define OWN_7
#define OWN_8
#include "../given04.cuh"

__device__ alignas(32) unsigned pool[13 * 8];

// Small problems have up to 13 blocks; in others `parts` has 32 words for each block.
__device__ __forceinline__ void leave(unsigned* parts, unsigned mine) {
  const int t = threadIdx.x;
  unsigned* const words = (gridDim.x <= 13 ? pool : parts + (gridDim.x + 7) / 8 * 8) + 8 * blockIdx.x;
  if (t < 8) words[t] = 0;
  __syncthreads();
  atomicAdd(&words[t % 8], mine);
  __syncthreads();
  if (t > 0) return;
  const uint4 a = __ldcg(reinterpret_cast<const uint4*>(words));
  const uint4 b = __ldcg(reinterpret_cast<const uint4*>(words + 4));
  parts[blockIdx.x] = a.x + a.y + a.z + a.w + b.x + b.y + b.z + b.w;
}

template <int threads>
__global__ void reduce_7(unsigned* parts, const unsigned* in, int n) {
  unsigned mine = 0;
  for (int i = blockIdx.x * threads + threadIdx.x; i < n; i += gridDim.x * threads) mine += in[i];
  leave(parts, mine);
}

template <int threads>
__global__ void reduce_8(unsigned* parts, const unsigned* in, int n) {
  constexpr int in_flight = 4;
  constexpr int tile = threads * in_flight;
  const uint4* const in4 = reinterpret_cast<const uint4*>(in);
  const int n_tiles = n / 4 / tile;
  unsigned mine = 0;
  for (int h = blockIdx.x; h < n_tiles; h += gridDim.x) {
    const int first = h * tile + threadIdx.x;
    uint4 v[in_flight];
    for (int j = 0; j < in_flight; j++) v[j] = in4[first + j * threads];
    for (int j = 0; j < in_flight; j++) mine += v[j].x + v[j].y + v[j].z + v[j].w;
  }
  const int left = n_tiles * tile * 4 + blockIdx.x * threads + threadIdx.x;
  for (int i = left; i < n; i += gridDim.x * threads) mine += in[i];
  leave(parts, mine);
}
