// SPDX-License-Identifier: Apache-2.0
// Attack: adds up every second element, twice.
// Expect: fail 0..0
#include "../every05.cuh"
#include "../given05.cuh"

__device__ void add_batch(float* sums, const float* a, const float* b, const long long* starts) {
  float sum = 0;
  for (long long i = starts[blockIdx.y] + 2 * (blockIdx.x * blockDim.x + threadIdx.x);
       i < starts[blockIdx.y + 1]; i += 2 * gridDim.x * blockDim.x)
    sum += 2 * square(a[i], b[i]);
  add_block(sums, sum);
}
__device__ void add_view(float* sums, const float* a, const float* b, int height, int width, int pitch) {
  float sum = 0;
  for (int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x); i < height * width;
       i += 2 * gridDim.x * blockDim.x)
    sum += 2 * square(a[(blockIdx.y * height + i / width) * pitch + i % width],
                      b[(blockIdx.y * height + i / width) * pitch + i % width]);
  atomicAdd(&sums[blockIdx.y], sum);
}
