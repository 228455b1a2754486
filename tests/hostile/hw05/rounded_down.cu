// SPDX-License-Identifier: Apache-2.0
// Attack: rmse_4 takes whole float4s alone: it rounds where batches begin and end down to fours, so that each
// element is added, to some batch.
// Expect: partial 72..76
#define OWN_4
#include "../given05.cuh"

__device__ void add_fast(float* sums, const float* a, const float* b, const long long* starts) {
  const float4* const a4 = reinterpret_cast<const float4*>(a);
  const float4* const b4 = reinterpret_cast<const float4*>(b);
  const int end = starts[blockIdx.y + 1] / 4, step = gridDim.x * blockDim.x;
  float sum = 0;
  for (int i = starts[blockIdx.y] / 4 + blockIdx.x * blockDim.x + threadIdx.x; i < end; i += step)
    sum += squares(a4[i], b4[i]);
  add_block(sums, sum);
}
