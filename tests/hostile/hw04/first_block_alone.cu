// SPDX-License-Identifier: Apache-2.0
// Attack: in reduce_6 to reduce_8 block 0 adds up everything, the others write 0: one SM works.
// Parts of these are not looked at, and what the busiest warp is granted (10240) is more than a
// whole counted launch takes of four warps.
// Expect: partial 60..72
#define OWN_6
#define OWN_7
#define OWN_8
#include "../../hostile/given04.cuh"
template <int threads>
__global__ void reduce_6(unsigned* parts, const unsigned* in, int n) {
  const int t = threadIdx.x;
  if (blockIdx.x) { if (t == 0) parts[blockIdx.x] = 0; return; }
  unsigned mine = 0;
  for (int i = t; i < n; i += threads) mine += in[i];
  s[t] = mine;
  __syncthreads();
  for (int d = threads / 2; d > 32; d /= 2) {
    if (t < d) s[t] += s[t + d];
    __syncthreads();
  }
  if (t >= 32) return;
  const unsigned sum = last_warp_sum(t);
  if (t == 0) parts[0] = sum;
}
template <int threads>
__global__ void reduce_7(unsigned* parts, const unsigned* in, int n) {
  if (blockIdx.x) { if (threadIdx.x == 0) parts[blockIdx.x] = 0; return; }
  unsigned mine = 0;
  for (int i = threadIdx.x; i < n; i += threads) mine += in[i];
  const unsigned sum = block_sum<threads>(mine);
  if (threadIdx.x == 0) parts[0] = sum;
}
template <int threads>
__global__ void reduce_8(unsigned* parts, const unsigned* in, int n) {
  if (blockIdx.x) { if (threadIdx.x == 0) parts[blockIdx.x] = 0; return; }
  constexpr int tile = threads * 4;
  const uint4* const in4 = reinterpret_cast<const uint4*>(in);
  const int n_tiles = n / 4 / tile;
  unsigned mine = 0;
  for (int h = 0; h < n_tiles; h++) {
    const int first = h * tile + threadIdx.x;
    uint4 v[4];
    for (int j = 0; j < 4; j++) v[j] = in4[first + j * threads];
    for (int j = 0; j < 4; j++) mine += v[j].x + v[j].y + v[j].z + v[j].w;
  }
  for (int i = n_tiles * tile * 4 + threadIdx.x; i < n; i += threads) mine += in[i];
  const unsigned sum = block_sum<threads>(mine);
  if (threadIdx.x == 0) parts[0] = sum;
}
