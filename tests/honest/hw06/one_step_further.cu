// SPDX-License-Identifier: Apache-2.0
// Style: product_best is product_registers with any number of rows and columns a thread, and nothing else.
// Expect: pass 100..100
#define OWN_BEST
#include "../../hostile/given06.cuh"

template <typename T, int each>
__global__ void product_best(T* c, const T* a, const T* b, int N, int R, int M) {
  constexpr int depth = 16, dim = 16 * each;
  __shared__ T sa[depth][dim + 1], sb[depth][dim];
  const int i = threadIdx.x % 16, j = threadIdx.x / 16;
  const int left = blockIdx.x * dim, top = blockIdx.y * dim;
  T sum[each][each] = {};
  for (int first = 0; first < R; first += depth) {
    for (int p = 0; p < each; p++) {
      const int y = top + j + 16 * p, x = left + i + 16 * p;
      sa[i][j + 16 * p] = y < N && first + i < R ? a[y * R + first + i] : 0;
      sb[j][i + 16 * p] = x < M && first + j < R ? b[(first + j) * M + x] : 0;
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < depth; k++) {
      T ra[each], rb[each];
      for (int p = 0; p < each; p++) ra[p] = sa[k][j + 16 * p];
      for (int q = 0; q < each; q++) rb[q] = sb[k][i + 16 * q];
      for (int p = 0; p < each; p++)
        for (int q = 0; q < each; q++) sum[p][q] += ra[p] * rb[q];
    }
    __syncthreads();
  }
  for (int p = 0; p < each; p++)
    for (int q = 0; q < each; q++) {
      const int y = top + j + 16 * p, x = left + i + 16 * q;
      if (y < N && x < M) c[y * M + x] = sum[p][q];
    }
}
