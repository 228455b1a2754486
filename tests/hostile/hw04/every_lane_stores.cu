// SPDX-License-Identifier: Apache-2.0
// Attack: in reduce_8 all lanes of the last warp store what they have into the block's part, in one
// instruction. Only the first lane has the sum, and in the emulator the lowest lane's value stays.
// Expect: partial 76..82
#define OWN_8
#include "../../hostile/given04.cuh"

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
    for (int j = 0; j < in_flight; j++)
      mine += v[j].x + v[j].y + v[j].z + v[j].w;
  }

  const int left = n_tiles * tile * 4 + blockIdx.x * threads + threadIdx.x;
  for (int i = left; i < n; i += gridDim.x * threads) mine += in[i];
  const unsigned sum = block_sum<threads>(mine);
  if (threadIdx.x < 32) parts[blockIdx.x] = sum;
}
