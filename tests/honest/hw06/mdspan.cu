// SPDX-License-Identifier: Apache-2.0
// Style: matrices as cuda::std::mdspan, a rotation as the swizzle, one function for two products.
// Expect: pass 100..100
#define OWN_TILE
#define OWN_SEVERAL
#define OWN_SWIZZLED
#define OWN_TILED
#define OWN_REGISTERS
#define OWN_BEST
#include <cuda/std/mdspan>
#include "../../hostile/given06.cuh"

// A matrix of any size, row after row; indices are ints.
template <typename T>
using Matrix = cuda::std::mdspan<T, cuda::std::dextents<int, 2>>;

// A tile of the matrix, turned by whoever reads it: [column, row].
template <int pad>
__global__ void transpose_tile(float* out, const float* in, int rows,
                               int cols) {
  const Matrix<const float> from(in, rows, cols);
  const Matrix<float> to(out, cols, rows);
  __shared__ float tile[32][32 + pad];
  const int i = threadIdx.x, j = threadIdx.y;
  const int left = blockIdx.x * 32, top = blockIdx.y * 32;
  if (left + i < from.extent(1) && top + j < from.extent(0))
    tile[j][i] = from(top + j, left + i);
  __syncthreads();
  if (left + j < to.extent(0) && top + i < to.extent(1))
    to(left + j, top + i) = tile[i][j];
}

// What transpose_several and transpose_swizzled have in common: `place` says
// where in the tile the word of row y and column x lies.
template <typename Place>
__device__ void transpose_by(float* out, const float* in, int rows, int cols,
                             float* tile, Place place) {
  const Matrix<const float> from(in, rows, cols);
  const Matrix<float> to(out, cols, rows);
  const int i = threadIdx.x, j = threadIdx.y;
  const int left = blockIdx.x * 32, top = blockIdx.y * 32;
  for (int k = j; k < j + 32; k += 8)
    if (left + i < from.extent(1) && top + k < from.extent(0))
      tile[place(k, i)] = from(top + k, left + i);
  __syncthreads();
  for (int k = j; k < j + 32; k += 8)
    if (left + k < to.extent(0) && top + i < to.extent(1))
      to(left + k, top + i) = tile[place(i, k)];
}

template <int pad>
__global__ void transpose_several(float* out, const float* in, int rows,
                                  int cols) {
  __shared__ float tile[32 * (32 + pad)];
  transpose_by(out, in, rows, cols, tile,
               [](int y, int x) { return y * (32 + pad) + x; });
}

// Row y is turned by y places.
__global__ void transpose_swizzled(float* out, const float* in, int rows,
                                   int cols) {
  __shared__ float tile[32 * 32];
  transpose_by(out, in, rows, cols, tile,
               [](int y, int x) { return y * 32 + (x + y) % 32; });
}

// Part 4: as fast as the card's own copy.

// Every number of A and B that is loaded is used 32 times.
template <typename T>
__global__ void product_tiled(T* c, const T* a, const T* b, int N, int R,
                              int M) {
  const Matrix<const T> A(a, N, R), B(b, R, M);
  const Matrix<T> C(c, N, M);
  __shared__ T sa[32][32], sb[32][32];
  const int i = threadIdx.x, j = threadIdx.y;
  const int x = blockIdx.x * 32 + i, y = blockIdx.y * 32 + j;
  T sum = 0;
  for (int first = 0; first < R; first += 32) {
    sa[j][i] = y < N && first + i < R ? A(y, first + i) : T(0);
    sb[j][i] = x < M && first + j < R ? B(first + j, x) : T(0);
    __syncthreads();
    for (int k = 0; k < 32; k++) sum += sa[j][k] * sb[k][i];
    __syncthreads();
  }
  if (y < N && x < M) C(y, x) = sum;
}

// A block's tile of C, `each` rows and columns of it a thread, 16 apart.
template <int each, typename T>
__device__ void multiply(Matrix<T> C, Matrix<const T> A, Matrix<const T> B,
                         int i, int j) {
  constexpr int depth = 16, dim = 16 * each;
  __shared__ T sa[dim][depth + 1], sb[depth][dim];
  const int left = blockIdx.x * dim, top = blockIdx.y * dim;
  T sum[each][each] = {};
  for (int first = 0; first < A.extent(1); first += depth) {
    for (int p = 0; p < dim; p += 16) {
      const int y = top + j + p, x = left + i + p, k = first + i, h = first + j;
      sa[j + p][i] = y < A.extent(0) && k < A.extent(1) ? A(y, k) : T(0);
      sb[j][i + p] = h < B.extent(0) && x < B.extent(1) ? B(h, x) : T(0);
    }
    __syncthreads();
    for (int k = 0; k < depth; k++) {
      T ra[each], rb[each];
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
      if (y < C.extent(0) && x < C.extent(1)) C(y, x) = sum[p][q];
    }
}

template <typename T>
__global__ void product_registers(T* c, const T* a, const T* b, int N, int R,
                                  int M) {
  multiply<4, T>(Matrix<T>(c, N, M), Matrix<const T>(a, N, R),
                 Matrix<const T>(b, R, M), threadIdx.x, threadIdx.y);
}

template <typename T, int each>
__global__ void product_best(T* c, const T* a, const T* b, int N, int R,
                             int M) {
  multiply<each, T>(Matrix<T>(c, N, M), Matrix<const T>(a, N, R),
                    Matrix<const T>(b, R, M), threadIdx.x % 16,
                    threadIdx.x / 16);
}
