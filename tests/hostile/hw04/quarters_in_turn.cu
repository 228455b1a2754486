// SPDX-License-Identifier: Apache-2.0
// Attack: the quarters of a block load one after the other, between barriers.
// Expect: partial 70..88
#define OWN_7
#define OWN_8
#include "../given04.cuh"

template <int threads>
__global__ void reduce_7(unsigned* parts, const unsigned* in, int n) {
  unsigned mine = 0;
  const int first = blockIdx.x * threads + threadIdx.x;
  for (int w = 0; w < 4; w++) {  // a quarter of the warps at a time
    if (threadIdx.x / 32 * 4 / (threads / 32) == w)
      for (int i = first; i < n; i += gridDim.x * threads) mine += in[i];
    __syncthreads();
  }
  const unsigned sum = block_sum<threads>(mine);
  if (threadIdx.x == 0) parts[blockIdx.x] = sum;
}

template <int threads>
__global__ void reduce_8(unsigned* parts, const unsigned* in, int n) {
  constexpr int in_flight = 4;
  constexpr int tile = threads * in_flight;
  const uint4* const in4 = reinterpret_cast<const uint4*>(in);
  const int n_tiles = n / 4 / tile;

  unsigned mine = 0;
  for (int w = 0; w < 4; w++, __syncthreads())  // a quarter of the warps at a time
  if (threadIdx.x / 32 * 4 / (threads / 32) == w)
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
  if (threadIdx.x == 0) parts[blockIdx.x] = sum;
}
