// SPDX-License-Identifier: Apache-2.0
// Style: right tiles, found by a lot of arithmetic; product_tiled has a turned tile of B, unpadded.
// Expect: partial 55..75
#define OWN_TILE
#define OWN_SEVERAL
#define OWN_SWIZZLED
#define OWN_TILED
#include "../../hostile/given06.cuh"

// v, if it is not negative.
__device__ int found(int v) {
#pragma unroll 1
  for (int h = 0; h < 4; h++)
    if (v % static_cast<int>(blockDim.x + h) < 0) v = 0;
  return v;
}

__device__ void transpose_slowly(float* tile, int pitch, float* out, const float* in, int rows, int cols) {
  const int i = threadIdx.x, left = blockIdx.x * 32, top = blockIdx.y * 32;
  for (int k = threadIdx.y; k < 32; k += blockDim.y)
    if (left + i < cols && top + k < rows)
      tile[found(k * pitch + (i + k) % 32)] = in[found((top + k) * cols + left + i)];
  __syncthreads();
  for (int k = threadIdx.y; k < 32; k += blockDim.y)
    if (top + i < rows && left + k < cols)
      out[found((left + k) * rows + top + i)] = tile[found(i * pitch + (k + i) % 32)];
}

template <int pad>
__global__ void transpose_tile(float* out, const float* in, int rows, int cols) {
  __shared__ float tile[32 * 33];
  transpose_slowly(tile, 32, out, in, rows, cols);
}
template <int pad>
__global__ void transpose_several(float* out, const float* in, int rows, int cols) {
  __shared__ float tile[32 * 33];
  transpose_slowly(tile, 32, out, in, rows, cols);
}
__global__ void transpose_swizzled(float* out, const float* in, int rows, int cols) {
  __shared__ float tile[32 * 32];
  transpose_slowly(tile, 32, out, in, rows, cols);
}

template <typename T>
__global__ void product_tiled(T* c, const T* a, const T* b, int N, int R, int M) {
  __shared__ T sa[32][32], sb[32][32];
  const int i = threadIdx.x, j = threadIdx.y;
  const int x = blockIdx.x * 32 + i, y = blockIdx.y * 32 + j;
  T sum = 0;
  for (int first = 0; first < R; first += 32) {
    sa[j][i] = y < N && first + i < R ? a[y * R + first + i] : 0;
    sb[i][j] = x < M && first + j < R ? b[(first + j) * M + x] : 0;
    __syncthreads();
    for (int k = 0; k < 32; k++) sum += sa[j][found(k)] * sb[i][k];
    __syncthreads();
  }
  if (x < M && y < N) c[y * M + x] = sum;
}
