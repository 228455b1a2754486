// SPDX-License-Identifier: Apache-2.0
// Attack: the product of floats is computed in doubles, which a card has fewer units for.
// Expect: partial 80..90
// Expect gpu: pass|partial 80..100
#define OWN_REGISTERS
#include "../given06.cuh"

template <typename T>
__global__ void product_registers(T* c, const T* a, const T* b, int N, int R,
                                  int M) {
  constexpr int depth = 16, each = 4, dim = 16 * each;
  __shared__ T sa[dim][depth + 1], sb[depth][dim];
  const int i = threadIdx.x, j = threadIdx.y;
  const int left = blockIdx.x * dim, top = blockIdx.y * dim;
  double sum[each][each] = {};
  for (int first = 0; first < R; first += depth) {
    for (int p = 0; p < each; p++) {
      const int y = top + j + 16 * p, x = left + i + 16 * p;
      sa[j + 16 * p][i] = y < N && first + i < R ? a[y * R + first + i] : 0;
      sb[j][i + 16 * p] = x < M && first + j < R ? b[(first + j) * M + x] : 0;
    }
    __syncthreads();
    for (int k = 0; k < depth; k++) {
      double ra[each], rb[each];
      for (int p = 0; p < each; p++) ra[p] = sa[j + 16 * p][k];
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
