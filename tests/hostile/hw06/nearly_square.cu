// SPDX-License-Identifier: Apache-2.0
// Attack: transpose_best leaves out what is further right or down than a matrix that is about square reaches.
// Expect: partial 87..88
#define OWN_TRANSPOSE
#include "../given06.cuh"

constexpr int best_tile = 64, best_threads = 256;

__global__ void transpose_best(float* out, const float* in, int rows,
                               int cols) {
  constexpr int dim = best_tile;
  __shared__ float tile[dim][dim + 1];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int left = blockIdx.x * dim, top = blockIdx.y * dim;
  if (left > 2 * rows || top > 2 * cols) return;
  if (rows % 4 == 0 && cols % 4 == 0) {
    const int i = warp % 2 * 32 + lane % 8 * 4, j = warp / 2 * 4 + lane / 8;
    float4 v[4];
    for (int k = 0; k < 4; k++)
      if (left + i < cols && top + j + 16 * k < rows)
        v[k] = *reinterpret_cast<const float4*>(
            &in[(top + j + 16 * k) * cols + left + i]);
    for (int k = 0; k < 4; k++) {
      tile[i][j + 16 * k] = v[k].x;
      tile[i + 1][j + 16 * k] = v[k].y;
      tile[i + 2][j + 16 * k] = v[k].z;
      tile[i + 3][j + 16 * k] = v[k].w;
    }
    __syncthreads();
    for (int k = 0; k < 4; k++) {
      const float* const t = &tile[j + 16 * k][i];
      if (top + i < rows && left + j + 16 * k < cols)
        *reinterpret_cast<float4*>(
            &out[(left + j + 16 * k) * rows + top + i]) =
            make_float4(t[0], t[1], t[2], t[3]);
    }
    return;
  }
  const int i = warp % 2 * 32 + lane, j = warp / 2;
  for (int k = 0; k < dim; k += 4)
    if (left + i < cols && top + j + k < rows)
      tile[i][j + k] = in[(top + j + k) * cols + left + i];
  __syncthreads();
  for (int k = 0; k < dim; k += 4)
    if (top + i < rows && left + j + k < cols)
      out[(left + j + k) * rows + top + i] = tile[j + k][i];
}
