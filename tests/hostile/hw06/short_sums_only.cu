// SPDX-License-Identifier: Apache-2.0
// Attack: sums of more than 90 products are left unfinished, which saves instructions where they are long.
// Expect: partial 75..90
#define OWN_REGISTERS
#include "../given06.cuh"

template <typename T>
__global__ void product_registers(T* c, const T* a, const T* b, int N, int R, int M) {
  __shared__ T sa[16][65], sb[16][64];
  const int i = threadIdx.x, j = threadIdx.y, left = blockIdx.x * 64, top = blockIdx.y * 64;
  T sum[4][4] = {};
  for (int first = 0; first < min(R, 90); first += 16) {
    for (int p = 0; p < 4; p++) {
      const int y = top + j + 16 * p, x = left + i + 16 * p;
      sa[i][j + 16 * p] = y < N && first + i < R ? a[y * R + first + i] : 0;
      sb[j][i + 16 * p] = x < M && first + j < R ? b[(first + j) * M + x] : 0;
    }
    __syncthreads();
    for (int k = 0; k < 16; k++)
      for (int p = 0; p < 4; p++)
        for (int q = 0; q < 4; q++) sum[p][q] += sa[k][j + 16 * p] * sb[k][i + 16 * q];
    __syncthreads();
  }
  for (int p = 0; p < 4; p++)
    for (int q = 0; q < 4; q++) {
      const int y = top + j + 16 * p, x = left + i + 16 * q;
      if (y < N && x < M) c[y * M + x] = sum[p][q];
    }
}
