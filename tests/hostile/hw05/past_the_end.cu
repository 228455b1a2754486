// SPDX-License-Identifier: Apache-2.0
// Attack: rmse_4 rounds the end of a batch up, and reads past the array's.
// Expect: student_error|partial 73..83
// Expect gpu: pass|student_error|fail|partial 0..100
#define OWN_4
#include "../given05.cuh"

__device__ void add_fast(float* sums, const float* a, const float* b, const long long* starts) {
  const float4* const a4 = reinterpret_cast<const float4*>(a);
  const float4* const b4 = reinterpret_cast<const float4*>(b);
  const int start = starts[blockIdx.y], end = starts[blockIdx.y + 1], step = gridDim.x * blockDim.x;
  float sum = 0;
  for (int i = start / 4 + blockIdx.x * blockDim.x + threadIdx.x; i < (end + 3) / 4; i += step) {
    const float4 x = a4[i], y = b4[i];
    if (4 * i >= start && 4 * i < end) sum += square(x.x, y.x);
    if (4 * i + 1 >= start && 4 * i + 1 < end) sum += square(x.y, y.y);
    if (4 * i + 2 >= start && 4 * i + 2 < end) sum += square(x.z, y.z);
    if (4 * i + 3 >= start && 4 * i + 3 < end) sum += square(x.w, y.w);
  }
  add_block(sums, sum);
}
