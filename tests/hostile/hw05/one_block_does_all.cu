// SPDX-License-Identifier: Apache-2.0
// Attack: of the blocks of a batch the first does everything in rmse_3, so the shape is no shape. Its busiest
// warp tells.
// Expect: partial 73..86
// Expect gpu: pass|partial 73..100
#define OWN_3
#include "../given05.cuh"

__global__ void rmse_3(float* sums, const float* a, const float* b, const long long* starts) {
  if (blockIdx.x > 0) return;
  float sum = 0;
  for (long long i = starts[blockIdx.y] + threadIdx.x; i < starts[blockIdx.y + 1]; i += blockDim.x)
    sum += square(a[i], b[i]);
  add_block(sums, sum);
}
