// SPDX-License-Identifier: Apache-2.0
// Attack: in matrices of a million elements and more, two neighbouring blocks of transpose_tile do the
// same tile, rightly, and half of the result is never written.
// Expect: partial 60..92
#define OWN_TILE
#include "../given06.cuh"

template <int pad>
__global__ void transpose_tile(float* out, const float* in, int rows, int cols) {
  __shared__ float tile[32][32 + pad];
  const unsigned block = blockIdx.x & ~static_cast<unsigned>(min(rows * cols >> 20, 1));
  const int i = threadIdx.x, j = threadIdx.y;
  const int left = block * 32, top = blockIdx.y * 32;
  if (left + i < cols && top + j < rows) tile[j][i] = in[(top + j) * cols + left + i];
  __syncthreads();
  if (top + i < rows && left + j < cols) out[(left + j) * rows + top + i] = tile[i][j];
}
