// SPDX-License-Identifier: Apache-2.0
// Attack: the last element of each batch is missing.
// Expect: fail 0..0
#include "../every05.cuh"
#include "../given05.cuh"

__device__ void add_batch(float* sums, const float* a, const float* b, const long long* starts) {
  const long long end = starts[blockIdx.y + 1] - 1;
  float sum = 0;
  for (long long i = starts[blockIdx.y] + blockIdx.x * blockDim.x + threadIdx.x; i < end;
       i += gridDim.x * blockDim.x)
    sum += square(a[i], b[i]);
  add_block(sums, sum);
}
__device__ void add_view(float* sums, const float* a, const float* b, int height, int width, int pitch) {
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < height * width - 1; i += gridDim.x * blockDim.x)
    sum += square(a[(blockIdx.y * height + i / width) * pitch + i % width],
                  b[(blockIdx.y * height + i / width) * pitch + i % width]);
  atomicAdd(&sums[blockIdx.y], sum);
}
