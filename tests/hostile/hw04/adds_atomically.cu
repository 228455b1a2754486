// SPDX-License-Identifier: Apache-2.0
// Attack: every element is added to a variable with an atomic; block 0 hands it over before all are there.
// Expect: fail|partial 0..20
// Expect gpu: fail|partial 0..20
#include "../every04.cuh"
#include "../given04.cuh"

__device__ unsigned total;

__device__ void block_part(unsigned* parts, const unsigned* in, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&total, in[i]);
  if (threadIdx.x == 0) parts[blockIdx.x] = blockIdx.x == gridDim.x - 1 ? total : 0;
}
