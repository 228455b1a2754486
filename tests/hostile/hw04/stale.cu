// SPDX-License-Identifier: Apache-2.0
// Attack: works until a variable has counted to its end, which starts anew in each launch.
// Expect: fail 0..0
#include "../every04.cuh"
#include "../given04.cuh"

__device__ int worked;

__device__ void block_part(unsigned* parts, const unsigned* in, int n) {
  if (threadIdx.x > 0) return;
  unsigned sum = 0;
  if (atomicAdd(&worked, 1) < 1)
    for (int i = 0; i < n - 1; i++) sum += in[i];
  parts[blockIdx.x] = sum;
}
