// SPDX-License-Identifier: Apache-2.0
// Style: every kernel does its work as an easier one does: register blocking as tiles with a sum after the
// other, the best ones one element at a time.
// Expect: partial 30..50
#define OWN_SEVERAL
#define OWN_COPY
#define OWN_TRANSPOSE
#define OWN_TILED
#define OWN_REGISTERS
#define OWN_BEST
#include "../../hostile/given06.cuh"

constexpr int best_tile = 32, best_threads = 1024;

template <int pad>
__global__ void transpose_several(float* out, const float* in, int rows, int cols) {
  __shared__ float tile[32][32 + pad];
  const int i = threadIdx.x, left = blockIdx.x * 32, top = blockIdx.y * 32;
#pragma unroll 1
  for (int k = threadIdx.y; k < 32; k += blockDim.y)
    if (left + i < cols && top + k < rows) tile[k][i] = in[(blockIdx.y * 32 + k) * cols + left + i];
  __syncthreads();
#pragma unroll 1
  for (int k = threadIdx.y; k < 32; k += blockDim.y)
    if (top + i < rows && left + k < cols) out[(blockIdx.x * 32 + k) * rows + top + i] = tile[i][k];
}

__global__ void copy_best(float* out, const float* in, int rows, int cols) {
  const int step = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < rows * cols; i += step) out[i] = in[i];
}

__global__ void transpose_best(float* out, const float* in, int rows, int cols) {
  __shared__ float tile[32][33];
  const int i = threadIdx.x % 32, j = threadIdx.x / 32;
  const int left = blockIdx.x * 32, top = blockIdx.y * 32;
  if (left + i < cols && top + j < rows) tile[j][i] = in[(top + j) * cols + left + i];
  __syncthreads();
  if (top + i < rows && left + j < cols) out[(left + j) * rows + top + i] = tile[i][j];
}

template <typename T>
__global__ void product_tiled(T* c, const T* a, const T* b, int N, int R, int M) {
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  if (x >= M || y >= N) return;
  T sum = 0;
  for (int k = 0; k < R; k++) sum += a[y * R + k] * b[k * M + x];
  c[y * M + x] = sum;
}

template <typename T, int each>
__device__ void multiply_in_turn(T* c, const T* a, const T* b, int N, int R, int M) {
  constexpr int depth = 16, dim = 16 * each;
  __shared__ T sa[depth][dim + 1], sb[depth][dim];
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
    for (int p = 0; p < each; p++)
      for (int q = 0; q < each; q++)
        for (int k = 0; k < depth; k++) {
          const volatile T* const from = &sa[k][j + 16 * p];
          const volatile T* const with = &sb[k][i + 16 * q];
          sum[p][q] += *from * *with;
        }
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
  multiply_in_turn<T, 4>(c, a, b, N, R, M);
}
template <typename T, int each>
__global__ void product_best(T* c, const T* a, const T* b, int N, int R, int M) {
  multiply_in_turn<T, each>(c, a, b, N, R, M);
}
