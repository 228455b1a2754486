// SPDX-License-Identifier: Apache-2.0
// Attack: product_registers and product_best leave out the terms behind the last whole 16 of a row of A.
// Expect: partial 55..72
#define OWN_REGISTERS
#define OWN_BEST
#include "../given06.cuh"

template <typename T, int each>
__device__ void multiply_whole(T* c, const T* a, const T* b, int N, int R, int M) {
  constexpr int depth = 16, dim = 16 * each;
  __shared__ T sa[depth][dim + 1], sb[depth][dim];
  const int t = threadIdx.y * blockDim.x + threadIdx.x, i = t % 16, j = t / 16;
  const int left = blockIdx.x * dim, top = blockIdx.y * dim;
  T sum[each][each] = {};
  for (int first = 0; first + depth <= R; first += depth) {
    for (int p = 0; p < each; p++) {
      const int y = top + j + 16 * p, x = left + i + 16 * p;
      sa[i][j + 16 * p] = y < N ? a[y * R + first + i] : 0;
      sb[j][i + 16 * p] = x < M ? b[(first + j) * M + x] : 0;
    }
    __syncthreads();
    for (int k = 0; k < depth; k++)
      for (int p = 0; p < each; p++)
        for (int q = 0; q < each; q++) sum[p][q] += sa[k][j + 16 * p] * sb[k][i + 16 * q];
    __syncthreads();
  }
  for (int p = 0; p < each; p++)
    for (int q = 0; q < each; q++) {
      const int y = top + j + 16 * p, x = left + i + 16 * q;
      if (y < N && x < M) c[y * M + x] = sum[p][q];
    }
}

template <typename T>
__global__ void product_registers(T* c, const T* a, const T* b, int N, int R, int M) {
  multiply_whole<T, 4>(c, a, b, N, R, M);
}
template <typename T, int each>
__global__ void product_best(T* c, const T* a, const T* b, int N, int R, int M) {
  multiply_whole<T, each>(c, a, b, N, R, M);
}
