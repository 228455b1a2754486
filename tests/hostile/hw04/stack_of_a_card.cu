// SPDX-License-Identifier: Apache-2.0
// Attack: one thread of a block hands the sum on through a function that calls itself, with frames of 16 KiB, of which
// next to nothing is touched. A thread of a card has 1 KiB where a kernel calls itself.
// Expect: student_error:crash 56..56
// Expect gpu: student_error|fail|partial 0..90
#define OWN_6
#define OWN_7
#define OWN_8
#include "../given04.cuh"

__device__ __noinline__ unsigned hand_down(const unsigned* from, int left) {
  unsigned kept[4096];
  kept[left] = from[left + 1];
  if (left == 0) return kept[0];
  return hand_down(kept, left - 1);
}

template <int threads>
__device__ void leave_part(unsigned* parts, unsigned sum) {
  if (threadIdx.x != 0) return;
  if constexpr (threads >= 128) {
    unsigned mine[4];
    mine[2] = sum;
    sum = hand_down(mine, 1);
  }
  parts[blockIdx.x] = sum;
}

template <int threads>
__global__ void reduce_6(unsigned* parts, const unsigned* in, int n) {
  const int t = threadIdx.x;
  unsigned mine = 0;
  for (int i = blockIdx.x * threads + t; i < n; i += gridDim.x * threads) mine += in[i];
  s[t] = mine;
  __syncthreads();
  for (int d = threads / 2; d > 32; d /= 2) {
    if (t < d) s[t] += s[t + d];
    __syncthreads();
  }
  if (t >= 32) return;
  leave_part<threads>(parts, last_warp_sum(t));
}

template <int threads>
__global__ void reduce_7(unsigned* parts, const unsigned* in, int n) {
  unsigned mine = 0;
  const int first = blockIdx.x * threads + threadIdx.x;
  for (int i = first; i < n; i += gridDim.x * threads) mine += in[i];
  leave_part<threads>(parts, block_sum<threads>(mine));
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
  leave_part<threads>(parts, block_sum<threads>(mine));
}
