// SPDX-License-Identifier: Apache-2.0
// Attack: an atomic operation for each element where there are more than four blocks a batch, as in the wide shape alone.
// Expect: fail|partial 80..90
// How long a stretch is follows by a shift and a minimum: no comparison that could be opposed. But the wide shape is
// counted, too.
#define OWN_1
#include "../given05.cuh"
__global__ void rmse_1(float* sums, const float* a, const float* b, const long long* starts) {
  const long long start = starts[blockIdx.y];
  const int n = starts[blockIdx.y + 1] - start;
  a += start;
  b += start;
  const int step = gridDim.x * blockDim.x;
  const int stretch = 1 + (0x3fffffff >> min(31u, (gridDim.x - 1) / 4 * 8));
  float sum = 0;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  while (i < n) {
    const int stop = min(n, i + stretch);
    for (; i < stop; i += step) {
      const float d = a[i] - b[i];
      sum += d * d;
    }
    if (sum != 0) atomicAdd(&sums[blockIdx.y], sum);
    sum = 0;
  }
}
