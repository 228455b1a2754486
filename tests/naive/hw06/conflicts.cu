// SPDX-License-Identifier: Apache-2.0
// Style: tiles without padding or swizzle; a thread of the products has rows and columns that are
// neighbours, and reads them from shared memory four and eight words apart.
// Expect: partial 40..60
#define OWN_TILE
#define OWN_SWIZZLED
#define OWN_REGISTERS
#define OWN_BEST
#include "../../hostile/given06.cuh"

template <int pad>
__global__ void transpose_tile(float* out, const float* in, int rows, int cols) {
  __shared__ float tile[32][32];
  const int i = threadIdx.x, j = threadIdx.y, left = blockIdx.x * 32, top = blockIdx.y * 32;
  if (left + i < cols && top + j < rows) tile[j][i] = in[(top + j) * cols + left + i];
  __syncthreads();
  if (top + i < rows && left + j < cols) out[(left + j) * rows + top + i] = tile[i][j];
}

__global__ void transpose_swizzled(float* out, const float* in, int rows, int cols) {
  __shared__ float tile[32][32];
  const int i = threadIdx.x, j = threadIdx.y, left = blockIdx.x * 32, top = blockIdx.y * 32;
  for (int k = j; k < j + 32; k += 8)
    if (left + i < cols && top + k < rows) tile[k][i] = in[(top + k) * cols + left + i];
  __syncthreads();
  for (int k = j; k < j + 32; k += 8)
    if (top + i < rows && left + k < cols) out[(left + k) * rows + top + i] = tile[i][k];
}

template <typename T, int each>
__device__ void multiply_side_by_side(T* c, const T* a, const T* b, int N, int R, int M) {
  constexpr int depth = 16, dim = 16 * each;
  __shared__ T sa[depth][dim], sb[depth][dim];
  const int t = threadIdx.y * blockDim.x + threadIdx.x, i = t % 16, j = t / 16;
  const int left = blockIdx.x * dim, top = blockIdx.y * dim;
  T sum[each][each] = {};
  for (int first = 0; first < R; first += depth) {
    for (int p = 0; p < each; p++) {
      const int y = top + j + 16 * p, x = left + i + 16 * p;
      sa[i][j + 16 * p] = y < N && first + i < R ? a[y * R + first + i] : 0;
      sb[j][i + 16 * p] = x < M && first + j < R ? b[(first + j) * M + x] : 0;
    }
    __syncthreads();
    for (int k = 0; k < depth; k++)
      for (int p = 0; p < each; p++)
        for (int q = 0; q < each; q++) sum[p][q] += sa[k][each * j + p] * sb[k][each * i + q];
    __syncthreads();
  }
  for (int p = 0; p < each; p++)
    for (int q = 0; q < each; q++) {
      const int y = top + each * j + p, x = left + each * i + q;
      if (y < N && x < M) c[y * M + x] = sum[p][q];
    }
}

template <typename T>
__global__ void product_registers(T* c, const T* a, const T* b, int N, int R, int M) {
  multiply_side_by_side<T, 4>(c, a, b, N, R, M);
}
template <typename T, int each>
__global__ void product_best(T* c, const T* a, const T* b, int N, int R, int M) {
  multiply_side_by_side<T, each>(c, a, b, N, R, M);
}
