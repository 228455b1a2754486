// SPDX-License-Identifier: Apache-2.0
// Attack: in reduce_6 to reduce_8 one warp of the whole grid adds up everything, within what is
// granted to the busiest warp of a launch; the other warps end, and their blocks' parts are 0.
// Expect: partial 60..70
#define OWN_6
#define OWN_7
#define OWN_8
#include "../../hostile/given04.cuh"

__device__ __forceinline__ void one_warp(unsigned* parts, const unsigned* in, int n) {
  if (threadIdx.x >= 32) return;
  if (blockIdx.x > 0) {
    if (threadIdx.x == 0) parts[blockIdx.x] = 0;
    return;
  }
  const uint4* const in4 = reinterpret_cast<const uint4*>(in);
  unsigned mine = 0;
  int i = threadIdx.x;
  for (; i + 96 < n / 4; i += 128) {
    const uint4 a = in4[i], b = in4[i + 32], c = in4[i + 64], d = in4[i + 96];
    mine += a.x + a.y + a.z + a.w + b.x + b.y + b.z + b.w + c.x + c.y + c.z + c.w + d.x + d.y + d.z + d.w;
  }
  for (; i < n / 4; i += 32) {
    const uint4 a = in4[i];
    mine += a.x + a.y + a.z + a.w;
  }
  const int j = n / 4 * 4 + threadIdx.x;
  if (j < n) mine += in[j];
  for (int d = 16; d > 0; d /= 2) mine += __shfl_down_sync(~0u, mine, d);
  if (threadIdx.x == 0) parts[0] = mine;
}

template <int threads>
__global__ void reduce_6(unsigned* parts, const unsigned* in, int n) {
  one_warp(parts, in, n);
}
template <int threads>
__global__ void reduce_7(unsigned* parts, const unsigned* in, int n) {
  one_warp(parts, in, n);
}
template <int threads>
__global__ void reduce_8(unsigned* parts, const unsigned* in, int n) {
  one_warp(parts, in, n);
}
