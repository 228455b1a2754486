// SPDX-License-Identifier: Apache-2.0
// Attack: in large problems rmse_3 takes batches to be nearly of equal length, and no more elements of one.
// Expect: partial 65..75
#define OWN_3
#include "../given05.cuh"

__global__ void rmse_3(float* sums, const float* a, const float* b, const long long* starts) {
  const long long all = starts[gridDim.y], first = starts[blockIdx.y];
  long long end = starts[blockIdx.y + 1];
  if (all >= 1 << 16) end = min(end, first + all / gridDim.y + 1000);
  float sum = 0;
  for (long long i = first + blockIdx.x * blockDim.x + threadIdx.x; i < end; i += gridDim.x * blockDim.x)
    sum += square(a[i], b[i]);
  add_block(sums, sum);
}
