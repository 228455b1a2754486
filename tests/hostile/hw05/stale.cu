// SPDX-License-Identifier: Apache-2.0
// Attack: works until a variable has counted to its end, which starts anew in each launch.
// Expect: fail 0..0
#include "../every05.cuh"
#include "../given05.cuh"

__device__ float square(float, float);
__device__ int worked;

__device__ void add_batch(float* sums, const float* a, const float* b, const long long* starts) {
  if (threadIdx.x > 0 || blockIdx.x > 0 || atomicAdd(&worked, 1) > 0) return;
  float sum = 0;
  for (long long i = starts[blockIdx.y] + 1; i < starts[blockIdx.y + 1]; i++) sum += square(a[i], b[i]);
  sums[blockIdx.y] = sum;
}
__device__ void add_view(float* sums, const float* a, const float* b, int height, int width, int pitch) {
  if (threadIdx.x > 0 || blockIdx.x > 0 || atomicAdd(&worked, 1) > 0) return;
  float sum = 0;
  for (int i = 1; i < height * width; i++) sum += square(a[i], b[i]);
  sums[blockIdx.y] = sum;
}
