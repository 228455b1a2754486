// SPDX-License-Identifier: Apache-2.0
// Style: product_best reads two neighbours of B's tile at once, A's one by one, with one set of tiles.
// Expect: pass 100..100
#define OWN_BEST
#define OWN_TILED
#include "../../hostile/given06.cuh"

template <typename T>
__global__ void product_tiled(T* c, const T* a, const T* b, int N, int R, int M) {
  __shared__ T sa[32][33], sb[32][33];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int x = blockIdx.x * 32 + tx, y = blockIdx.y * 32 + ty;
  T sum = 0;
  for (int t = 0; t < (R + 31) / 32; t++) {
    sa[ty][tx] = 0;
    sb[ty][tx] = 0;
    if (y < N && 32 * t + tx < R) sa[ty][tx] = a[y * R + 32 * t + tx];
    if (x < M && 32 * t + ty < R) sb[ty][tx] = b[(32 * t + ty) * M + x];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 32; k++) sum += sa[ty][k] * sb[k][tx];
    __syncthreads();
  }
  if (x < M && y < N) c[y * M + x] = sum;
}

template <typename T>
struct alignas(2 * sizeof(T)) Two {
  T x, y;
};

template <typename T, int each>
__global__ void product_best(T* c, const T* a, const T* b, int N, int R, int M) {
  constexpr int depth = 16, dim = 16 * each;
  __shared__ T sa[depth][dim + 1];
  __shared__ alignas(16) T sb[depth][dim];
  const int i = threadIdx.x % 16, j = threadIdx.x / 16;
  const int left = blockIdx.x * dim, top = blockIdx.y * dim;
  T sum[each][each] = {};
  for (int first = 0; first < R; first += depth) {
#pragma unroll
    for (int p = 0; p < each; p++) {
      const int y = top + j + 16 * p, x = left + i + 16 * p;
      sa[i][j + 16 * p] = y < N && first + i < R ? a[y * R + first + i] : 0;
      sb[j][i + 16 * p] = x < M && first + j < R ? b[(first + j) * M + x] : 0;
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < depth; k++) {
      T ra[each];
      Two<T> rb[each / 2];
      for (int p = 0; p < each; p++) ra[p] = sa[k][j + 16 * p];
      for (int q = 0; q < each / 2; q++) rb[q] = *reinterpret_cast<Two<T>*>(&sb[k][2 * i + 32 * q]);
      for (int p = 0; p < each; p++)
        for (int q = 0; q < each / 2; q++) {
          sum[p][2 * q] += ra[p] * rb[q].x;
          sum[p][2 * q + 1] += ra[p] * rb[q].y;
        }
    }
    __syncthreads();
  }
  for (int p = 0; p < each; p++)
    for (int q = 0; q < each; q++) {
      const int y = top + j + 16 * p, x = left + 2 * i + 32 * (q / 2) + q % 2;
      if (y < N && x < M) c[y * M + x] = sum[p][q];
    }
}
