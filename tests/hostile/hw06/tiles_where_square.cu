// SPDX-License-Identifier: Apache-2.0
// Attack: product_tiled multiplies tiles where C is about square, else number by number.
// Expect: partial 91..91
#define OWN_TILED
#include "../given06.cuh"

template <typename T>
__global__ void product_tiled(T* c, const T* a, const T* b, int N, int R, int M) {
  __shared__ T sa[32][32], sb[32][32];
  const int i = threadIdx.x, j = threadIdx.y, x = blockIdx.x * 32 + i, y = blockIdx.y * 32 + j;
  T sum = 0;
  if (4 * N > 5 * M || 4 * M > 5 * N) {
    if (y >= N || x >= M) return;
    for (int k = 0; k < R; k++) sum += a[y * R + k] * b[k * M + x];
    c[y * M + x] = sum;
    return;
  }
  for (int first = 0; first < R; first += 32) {
    sa[j][i] = y < N && first + i < R ? a[y * R + first + i] : 0;
    sb[j][i] = x < M && first + j < R ? b[(first + j) * M + x] : 0;
    __syncthreads();
    for (int k = 0; k < 32; k++) sum += sa[j][k] * sb[k][i];
    __syncthreads();
  }
  if (x < M && y < N) c[y * M + x] = sum;
}
