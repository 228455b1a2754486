// SPDX-License-Identifier: Apache-2.0
// Attack: where there are more elements than any drawn launch has, warps add to one word with no atomic operation.
// Expect: fail|partial 60..85
// Right in every order in which the emulator executes machine code, as a warp has its whole turn between barriers; so some
// blocks of large launches are executed by their PTX, where races are looked for as in small ones.
#define OWN_7
#include "../given04.cuh"
template <int threads>
__global__ void reduce_7(unsigned* parts, const unsigned* in, int n) {
  unsigned mine = 0;
  for (int i = blockIdx.x * threads + threadIdx.x; i < n; i += gridDim.x * threads) mine += in[i];
  if (n > 1200000) {
    for (int d = 16; d > 0; d /= 2) mine += __shfl_xor_sync(~0u, mine, d);
    if (threadIdx.x == 0) s[0] = 0;
    __syncthreads();
    if (threadIdx.x % 32 == 0) s[0] += mine;
    __syncthreads();
    if (threadIdx.x == 0) parts[blockIdx.x] = s[0];
    return;
  }
  const unsigned sum = block_sum<threads>(mine);
  if (threadIdx.x == 0) parts[blockIdx.x] = sum;
}
