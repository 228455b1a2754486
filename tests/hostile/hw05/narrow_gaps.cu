// SPDX-License-Identifier: Apache-2.0
// Attack: view_cheap takes rows to be less than 32 numbers apart, which saves a long way where they are not.
// Expect: partial 88..89
#define OWN_VIEW
#include "../given05.cuh"

__global__ void view_cheap(float* sums, const float* a, const float* b, int height, int width, int pitch) {
  const int apart = min(pitch, width + 31), step = gridDim.x * blockDim.x;
  const int rows = step / width, columns = step % width;
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / width;
  int column = (blockIdx.x * blockDim.x + threadIdx.x) % width;
  float sum = 0;
  while (row < height) {
    const int at = blockIdx.y * height * pitch + row * apart + column;
    sum += square(a[at], b[at]);
    row += rows + (column + columns >= width);
    column += columns - (column + columns >= width ? width : 0);
  }
  atomicAdd(&sums[blockIdx.y], sum);
}
