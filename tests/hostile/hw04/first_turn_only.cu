// SPDX-License-Identifier: Apache-2.0
// Attack: reduce_8 takes the first tile of each block and no more.
// Expect: partial 78..83
#define OWN_8
#include "../given04.cuh"

template <int threads>
__global__ void reduce_8(unsigned* parts, const unsigned* in, int n) {
  const uint4* in4 = reinterpret_cast<const uint4*>(in);
  const int tiles = n / 4 / threads;
  unsigned mine = 0;
  if (blockIdx.x < tiles) {
    const uint4 v = in4[blockIdx.x * threads + threadIdx.x];
    mine += v.x + v.y + v.z + v.w;
  }
  for (int i = tiles * threads * 4 + blockIdx.x * threads + threadIdx.x; i < n; i += gridDim.x * threads)
    mine += in[i];
  const unsigned sum = block_sum<threads>(mine);
  if (threadIdx.x == 0) parts[blockIdx.x] = sum;
}
