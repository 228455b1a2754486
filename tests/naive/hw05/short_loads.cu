// SPDX-License-Identifier: Apache-2.0
// Style: rmse_4 unrolls its loop, and loads four bytes at a time.
// Expect: partial 82..88
#define OWN_4
#include "../../hostile/given05.cuh"

__device__ void add_fast(float* sums, const float* a, const float* b, const long long* starts) {
  const long long start = starts[blockIdx.y];
  const int n = starts[blockIdx.y + 1] - start, step = gridDim.x * blockDim.x;
  float sum = 0;
#pragma unroll 8
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step)
    sum += square(a[start + i], b[start + i]);
  add_block(sums, sum);
}
