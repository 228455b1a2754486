// SPDX-License-Identifier: Apache-2.0
// Style: one instruction adds up a warp, and an atomic in shared memory the warps.
// Expect: pass 100..100
#define OWN_7
#define OWN_8
#include "../../hostile/given04.cuh"

__device__ void leave(unsigned* parts, unsigned mine) {
  if (threadIdx.x == 0) s[0] = 0;
  __syncthreads();
  mine = __reduce_add_sync(~0u, mine);
  if (threadIdx.x % 32 == 0) atomicAdd(&s[0], mine);
  __syncthreads();
  if (threadIdx.x == 0) parts[blockIdx.x] = s[0];
}

template <int threads>
__global__ void reduce_7(unsigned* parts, const unsigned* in, int n) {
  unsigned mine = 0;
  for (int i = blockIdx.x * threads + threadIdx.x; i < n; i += gridDim.x * threads) mine += in[i];
  leave(parts, mine);
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
  leave(parts, mine);
}
