// SPDX-License-Identifier: Apache-2.0
// Style: reduce_1 keeps the gaps, and asks for them with & in place of %: fewer instructions, as many
// warps that do next to nothing.
// Expect: partial 91..91
#define OWN_1
#include "../../hostile/given04.cuh"

__global__ void reduce_1(unsigned* parts, const unsigned* in, int n) {
  const int t = threadIdx.x;
  const int i = blockIdx.x * blockDim.x + t;
  s[t] = i < n ? in[i] : 0;
  __syncthreads();
  for (int d = 1; d < blockDim.x; d *= 2) {
    if ((t & (2 * d - 1)) == 0) s[t] += s[t + d];
    __syncthreads();
  }
  if (t == 0) parts[blockIdx.x] = s[0];
}
