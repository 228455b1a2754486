// SPDX-License-Identifier: Apache-2.0
// Attack: transpose_tile does not wait for the tile, and product_tiled not before it loads the next one.
// Expect: partial|student_error 60..85
// Expect gpu: pass|partial|student_error|fail 0..100
#define OWN_TILE
#define OWN_TILED
#include "../given06.cuh"

template <int pad>
__global__ void transpose_tile(float* out, const float* in, int rows, int cols) {
  __shared__ float tile[32][32 + pad];
  const int i = threadIdx.x, j = threadIdx.y, left = blockIdx.x * 32, top = blockIdx.y * 32;
  if (left + i < cols && top + j < rows) tile[j][i] = in[(top + j) * cols + left + i];
  if (top + i < rows && left + j < cols) out[(left + j) * rows + top + i] = tile[i][j];
}

template <typename T>
__global__ void product_tiled(T* c, const T* a, const T* b, int N, int R, int M) {
  __shared__ T sa[32][32], sb[32][32];
  const int i = threadIdx.x, j = threadIdx.y;
  const int x = blockIdx.x * 32 + i, y = blockIdx.y * 32 + j;
  T sum = 0;
  for (int first = 0; first < R; first += 32) {
    sa[j][i] = y < N && first + i < R ? a[y * R + first + i] : 0;
    sb[j][i] = x < M && first + j < R ? b[(first + j) * M + x] : 0;
    __syncthreads();
    for (int k = 0; k < 32; k++) sum += sa[j][k] * sb[k][i];
  }
  if (x < M && y < N) c[y * M + x] = sum;
}
