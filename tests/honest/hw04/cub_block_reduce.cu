// SPDX-License-Identifier: Apache-2.0
// Style: the library's sum over a block in reduce_7 and reduce_8.
// Expect: pass 100..100
#include <cub/block/block_reduce.cuh>
#define OWN_7
#define OWN_8
#include "../../hostile/given04.cuh"

template <int threads>
__device__ void leave(unsigned* parts, unsigned mine) {
  using BlockReduce = cub::BlockReduce<unsigned, threads>;
  __shared__ typename BlockReduce::TempStorage storage;
  const unsigned sum = BlockReduce(storage).Sum(mine);
  if (threadIdx.x == 0) parts[blockIdx.x] = sum;
}

template <int threads>
__global__ void reduce_7(unsigned* parts, const unsigned* in, int n) {
  unsigned mine = 0;
  for (int i = blockIdx.x * threads + threadIdx.x; i < n; i += gridDim.x * threads) mine += in[i];
  leave<threads>(parts, mine);
}

template <int threads>
__global__ void reduce_8(unsigned* parts, const unsigned* in, int n) {
  const uint4* const in4 = reinterpret_cast<const uint4*>(in);
  const int n4 = n / 4, step = gridDim.x * threads, first = blockIdx.x * threads + threadIdx.x;
  unsigned mine = 0;
#pragma unroll 4
  for (int i = first; i < n4; i += step) {
    const uint4 v = in4[i];
    mine += v.x + v.y + v.z + v.w;
  }
  if (first < n % 4) mine += in[4 * n4 + first];
  leave<threads>(parts, mine);
}
