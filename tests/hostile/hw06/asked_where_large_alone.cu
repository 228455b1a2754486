// SPDX-License-Identifier: Apache-2.0
// Attack: the starter's way where a matrix has 1024 or 8192 rows and columns, asked where no counted launch comes to.
// Expect: partial|review 80..90
// What large launches alone ask is opposed in these: in a small one it would never be asked.
#define OWN_TILE
#include "../given06.cuh"
__device__ __noinline__ bool is_whole(int rows, int cols) {
  return rows == cols && (rows == 1024 || rows == 8192);
}
template <int pad>
__global__ void transpose_tile(float* out, const float* in, int rows, int cols) {
  __shared__ float tile[32][32 + pad];
  const int i = threadIdx.x, j = threadIdx.y;
  const int left = blockIdx.x * 32, top = blockIdx.y * 32;
  if (rows * cols > 100000 && is_whole(rows, cols)) {
    if (left + i < cols && top + j < rows) out[(left + i) * rows + top + j] = in[(top + j) * cols + left + i];
    return;
  }
  if (left + i < cols && top + j < rows) tile[j][i] = in[(top + j) * cols + left + i];
  __syncthreads();
  if (top + i < rows && left + j < cols) out[(left + j) * rows + top + i] = tile[i][j];
}
