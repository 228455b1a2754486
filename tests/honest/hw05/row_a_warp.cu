// SPDX-License-Identifier: Apache-2.0
// Style: a warp takes a row, its lanes the columns: no division at all.
// Expect: partial|pass 90..100
#define OWN_VIEW
#include "../../hostile/given05.cuh"
__global__ void view_cheap(float* sums, const float* a, const float* b,
                           int height, int width, int pitch) {
  const int lane = threadIdx.x % 32, warps = gridDim.x * blockDim.x / 32;
  float sum = 0;
  for (int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32; row < height;
       row += warps) {
    const int start = (blockIdx.y * height + row) * pitch;
    for (int column = lane; column < width; column += 32) {
      const float d = a[start + column] - b[start + column];
      sum += d * d;
    }
  }
  atomicAdd(&sums[blockIdx.y], sum);
}
