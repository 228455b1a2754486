// SPDX-License-Identifier: Apache-2.0
// Style: the products by the book: guards with if and else, no pragma; product_best like registers.
// Expect: pass 100..100
#define OWN_BEST
#define OWN_REGISTERS
#define OWN_TILED
#include "../../hostile/given06.cuh"

template <typename T>
__global__ void product_tiled(T* c, const T* a, const T* b, int N, int R, int M) {
  __shared__ T sa[32][32];
  __shared__ T sb[32][32];
  int row = blockIdx.y * 32 + threadIdx.y;
  int col = blockIdx.x * 32 + threadIdx.x;
  T sum = 0;
  for (int t = 0; t < (R + 31) / 32; t++) {
    if (row < N && t * 32 + threadIdx.x < R)
      sa[threadIdx.y][threadIdx.x] = a[row * R + t * 32 + threadIdx.x];
    else
      sa[threadIdx.y][threadIdx.x] = 0;
    if (col < M && t * 32 + threadIdx.y < R)
      sb[threadIdx.y][threadIdx.x] = b[(t * 32 + threadIdx.y) * M + col];
    else
      sb[threadIdx.y][threadIdx.x] = 0;
    __syncthreads();
    for (int k = 0; k < 32; k++) sum += sa[threadIdx.y][k] * sb[k][threadIdx.x];
    __syncthreads();
  }
  if (row < N && col < M) c[row * M + col] = sum;
}

template <typename T, int each>
__device__ void mul(T* c, const T* a, const T* b, int N, int R, int M, int t) {
  constexpr int dim = 16 * each;
  __shared__ T sa[dim][17];
  __shared__ T sb[16][dim];
  int tx = t % 16, ty = t / 16;
  int row0 = blockIdx.y * dim, col0 = blockIdx.x * dim;
  T sum[each][each];
  for (int i = 0; i < each; i++)
    for (int j = 0; j < each; j++) sum[i][j] = 0;
  int tiles = (R + 15) / 16;
  for (int m = 0; m < tiles; m++) {
    for (int e = t; e < dim * 16; e += 256) {
      int r = e / 16, k = e % 16;
      if (row0 + r < N && m * 16 + k < R)
        sa[r][k] = a[(row0 + r) * R + m * 16 + k];
      else
        sa[r][k] = 0;
    }
    for (int e = t; e < dim * 16; e += 256) {
      int k = e / dim, x = e % dim;
      if (m * 16 + k < R && col0 + x < M)
        sb[k][x] = b[(m * 16 + k) * M + col0 + x];
      else
        sb[k][x] = 0;
    }
    __syncthreads();
    for (int k = 0; k < 16; k++) {
      T ra[each], rb[each];
      for (int i = 0; i < each; i++) ra[i] = sa[ty + 16 * i][k];
      for (int j = 0; j < each; j++) rb[j] = sb[k][tx + 16 * j];
      for (int i = 0; i < each; i++)
        for (int j = 0; j < each; j++) sum[i][j] += ra[i] * rb[j];
    }
    __syncthreads();
  }
  for (int i = 0; i < each; i++) {
    int y = row0 + ty + 16 * i;
    if (y >= N) continue;
    for (int j = 0; j < each; j++) {
      int x = col0 + tx + 16 * j;
      if (x < M) c[y * M + x] = sum[i][j];
    }
  }
}
template <typename T>
__global__ void product_registers(T* c, const T* a, const T* b, int N, int R, int M) {
  mul<T, 4>(c, a, b, N, R, M, threadIdx.y * 16 + threadIdx.x);
}
template <typename T, int each>
__global__ void product_best(T* c, const T* a, const T* b, int N, int R, int M) {
  mul<T, each>(c, a, b, N, R, M, threadIdx.x);
}
