// SPDX-License-Identifier: Apache-2.0
// Attack: product_registers takes what is behind the first 128 terms of a sum from memory, number by number.
// Expect: partial 84..86
#define OWN_REGISTERS
#include "../given06.cuh"

template <typename T>
__global__ void product_registers(T* c, const T* a, const T* b, int N, int R, int M) {
  __shared__ T sa[16][65], sb[16][64];
  const int i = threadIdx.x, j = threadIdx.y, left = blockIdx.x * 64, top = blockIdx.y * 64;
  const int shared = min(R, 128);
  T sum[4][4] = {};
  for (int first = 0; first < shared; first += 16) {
    for (int p = 0; p < 4; p++) {
      const int y = top + j + 16 * p, x = left + i + 16 * p;
      sa[i][j + 16 * p] = y < N && first + i < shared ? a[y * R + first + i] : 0;
      sb[j][i + 16 * p] = x < M && first + j < shared ? b[(first + j) * M + x] : 0;
    }
    __syncthreads();
    for (int k = 0; k < 16; k++)
      for (int p = 0; p < 4; p++)
        for (int q = 0; q < 4; q++) sum[p][q] += sa[k][j + 16 * p] * sb[k][i + 16 * q];
    __syncthreads();
  }
  for (int k = shared; k < R; k++)
    for (int p = 0; p < 4; p++)
      for (int q = 0; q < 4; q++) {
        const int y = top + j + 16 * p, x = left + i + 16 * q;
        if (y < N && x < M) sum[p][q] += a[y * R + k] * b[k * M + x];
      }
  for (int p = 0; p < 4; p++)
    for (int q = 0; q < 4; q++) {
      const int y = top + j + 16 * p, x = left + i + 16 * q;
      if (y < N && x < M) c[y * M + x] = sum[p][q];
    }
}
