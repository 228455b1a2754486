// SPDX-License-Identifier: Apache-2.0
// Attack: all parts are zero.
// Expect: fail 0..0
#include "../every04.cuh"
#include "../given04.cuh"

__device__ void block_part(unsigned* parts, const unsigned* in, int n) {
  if (threadIdx.x == 0) parts[blockIdx.x] = 0;
}
