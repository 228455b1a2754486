// SPDX-License-Identifier: Apache-2.0
// Attack: copy_best rounds the number of elements up to whole float4s and reads past the end.
// Expect: student_error 92..94
// Expect gpu: pass|student_error|fail|partial 0..100
#define OWN_COPY
#include "../given06.cuh"

__global__ void copy_best(float* out, const float* in, int rows, int cols) {
  const float4* const from = reinterpret_cast<const float4*>(in);
  float4* const to = reinterpret_cast<float4*>(out);
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < (rows * cols + 3) / 4; i += gridDim.x * blockDim.x)
    to[i] = from[i];
}
