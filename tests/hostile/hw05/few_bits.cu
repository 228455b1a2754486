// SPDX-License-Identifier: Apache-2.0
// Attack: every kernel takes the elements as halves, 11 bits of them.
// Expect: fail 0..0
#include <cuda_fp16.h>
#include "../every05.cuh"
#include "../given05.cuh"

__device__ float in_few_bits(float x) { return __half2float(__float2half(x)); }

__device__ void add_batch(float* sums, const float* a, const float* b, const long long* starts) {
  float sum = 0;
  const long long first = starts[blockIdx.y] + blockIdx.x * blockDim.x + threadIdx.x;
  for (long long i = first; i < starts[blockIdx.y + 1]; i += gridDim.x * blockDim.x)
    sum += square(in_few_bits(a[i]), in_few_bits(b[i]));
  atomicAdd(&sums[blockIdx.y], sum);
}

__device__ void add_view(float* sums, const float* a, const float* b, int height, int width, int pitch) {
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < height * width; i += gridDim.x * blockDim.x) {
    const long long at = (blockIdx.y * height + i / width) * static_cast<long long>(pitch) + i % width;
    sum += square(in_few_bits(a[at]), in_few_bits(b[at]));
  }
  atomicAdd(&sums[blockIdx.y], sum);
}
