// SPDX-License-Identifier: Apache-2.0
// Attack: reduce_4 has its last warp go to the barrier with all others, step by step; unrolling for
// the 128 threads that it always has makes up for the instructions.
// Expect: partial 89..92
#define OWN_4
#include "../../hostile/given04.cuh"

__global__ void reduce_4(unsigned* parts, const unsigned* in, int n) {
  const int t = threadIdx.x;
  const int i = blockIdx.x * 256 + t, j = i + 128;
  unsigned sum = (i < n ? in[i] : 0) + (j < n ? in[j] : 0);
  s[t] = sum;
  __syncthreads();
#pragma unroll
  for (int d = 64; d > 0; d /= 2) {
    if (t < d) s[t] = sum += s[t + d];
    __syncthreads();
  }
  if (t == 0) parts[blockIdx.x] = sum;
}
