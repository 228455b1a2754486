// SPDX-License-Identifier: Apache-2.0
// Attack: the last element is missing.
// Expect: fail 0..0
#include "../every04.cuh"
#include "../given04.cuh"

__device__ void block_part(unsigned* parts, const unsigned* in, int n) {
  s[threadIdx.x] = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n - 1; i += gridDim.x * blockDim.x)
    s[threadIdx.x] += in[i];
  __syncthreads();
  if (threadIdx.x > 0) return;
  unsigned sum = 0;
  for (int i = 0; i < blockDim.x; i++) sum += s[i];
  parts[blockIdx.x] = sum;
}
