// SPDX-License-Identifier: Apache-2.0
// Attack: rmse_4 reads float4 from where a batch begins, whatever that is a multiple of.
// Expect: student_error 73..83
// Expect gpu: student_error|fail|partial 0..90
#define OWN_4
#include "../given05.cuh"

__device__ void add_fast(float* sums, const float* a, const float* b, const long long* starts) {
  const long long start = starts[blockIdx.y];
  const int n = starts[blockIdx.y + 1] - start, step = gridDim.x * blockDim.x;
  const float4* const a4 = reinterpret_cast<const float4*>(a + start);
  const float4* const b4 = reinterpret_cast<const float4*>(b + start);
  const int first = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int i = first; i < n / 4; i += step) sum += squares(a4[i], b4[i]);
  for (int i = n / 4 * 4 + first; i < n; i += step) sum += square(a[start + i], b[start + i]);
  add_block(sums, sum);
}
