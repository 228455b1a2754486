// SPDX-License-Identifier: Apache-2.0
// Attack: view_cheap divides for each element unless a view is about as high as it is wide.
// Expect: partial 90..90
#define OWN_VIEW
#include "../given05.cuh"

__global__ void view_cheap(float* sums, const float* a, const float* b, int height, int width, int pitch) {
  if (height > 2 * width || width > 2 * height) return view<int>(sums, a, b, height, width, pitch);
  const int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, n_warps = gridDim.x * blockDim.x / 32;
  float sum = 0;
  for (int row = warp; row < height; row += n_warps)
    for (int column = threadIdx.x % 32; column < width; column += 32) {
      const int at = (blockIdx.y * height + row) * pitch + column;
      sum += square(a[at], b[at]);
    }
  atomicAdd(&sums[blockIdx.y], sum);
}
