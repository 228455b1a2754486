// SPDX-License-Identifier: Apache-2.0
// Style: matrices as cuda::std::mdspan, a rotation as the swizzle, one function for two products.
// Expect: pass 100..100
// Homework 6: transpose and matrix product. You write the kernels that say
// Homework 6; README.md, in the same folder, is the assignment. There is device
// code here and nothing else: the program hw06 makes the matrices, launches
// these kernels, checks and measures them. Build with make (F9 in Emacs), run
// with ./hw06.
//
// Matrices lie in memory row after row and begin at a multiple of 256 bytes.
// They have any number of rows and columns, multiples of nothing.

#include <cuda/std/mdspan>

// A matrix of any size, row after row; indices are ints.
template <typename T>
using Matrix = cuda::std::mdspan<T, cuda::std::dextents<int, 2>>;

// Double precision, one thread an element. For comparison: do not edit.
__global__ void saxpy(double* y, const double* x, double a, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

// Part 1: one thread an element, blocks of any shape. Do not edit these two.
__global__ void copy_simple(float* out, const float* in, int rows, int cols) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < cols && y < rows) out[y * cols + x] = in[y * cols + x];
}

__global__ void transpose_simple(float* out, const float* in, int rows,
                                 int cols) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < cols && y < rows) out[x * rows + y] = in[y * cols + x];
}

// Part 2: through a tile of 32 x 32 in shared memory. Blocks are as large as a
// tile, (32, 32), and `pad` is 0 or 1. Do not edit this one.
template <int pad>
__global__ void copy_tile(float* out, const float* in, int rows, int cols) {
  __shared__ float tile[32][32 + pad];
  const int i = threadIdx.x, j = threadIdx.y;
  const int x = blockIdx.x * 32 + i, y = blockIdx.y * 32 + j;
  if (x < cols && y < rows) tile[j][i] = in[y * cols + x];
  __syncthreads();
  if (x < cols && y < rows) out[y * cols + x] = tile[j][i];
}

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

// Part 3: the same tile with blocks of (32, 8): each thread has four elements,
// eight rows apart. Do not edit this one.
template <int pad>
__global__ void copy_several(float* out, const float* in, int rows, int cols) {
  __shared__ float tile[32][32 + pad];
  const int i = threadIdx.x, j = threadIdx.y;
  const int x = blockIdx.x * 32 + i, top = blockIdx.y * 32;
  for (int k = 0; k < 32; k += 8)
    if (x < cols && top + j + k < rows)
      tile[j + k][i] = in[(top + j + k) * cols + x];
  __syncthreads();
  for (int k = 0; k < 32; k += 8)
    if (x < cols && top + j + k < rows)
      out[(top + j + k) * cols + x] = tile[j + k][i];
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

// Loads of 16 bytes, four of them on their way at once.
__global__ void copy_best(float* out, const float* in, int rows, int cols) {
  constexpr int in_flight = 4, threads = 256;
  const int n = rows * cols, n4 = n / 4;
  const float4* const in4 = reinterpret_cast<const float4*>(in);
  float4* const out4 = reinterpret_cast<float4*>(out);
  const int step = gridDim.x * threads * in_flight;
  int i = blockIdx.x * threads * in_flight + threadIdx.x;
  for (; i + (in_flight - 1) * threads < n4; i += step) {
    float4 v[in_flight];
    for (int j = 0; j < in_flight; j++) v[j] = in4[i + j * threads];
    for (int j = 0; j < in_flight; j++) out4[i + j * threads] = v[j];
  }
  // Where the array ends within a block's four times 256 vectors, and behind
  // the last whole vector.
  for (int j = 0; j < in_flight - 1; j++)
    if (i + j * threads < n4) out4[i + j * threads] = in4[i + j * threads];
  const int last = 4 * n4 + threadIdx.x;
  if (blockIdx.x == 0 && last < n) out[last] = in[last];
}

// A block of transpose_best has best_threads threads and a tile of best_tile x
// best_tile elements, the one that is blockIdx.x to the right and blockIdx.y
// down. Choose both numbers.
constexpr int best_tile = 64, best_threads = 256;
constexpr int sector = 8, width = best_tile + sector + 1;

// Elements 4 * c to 4 * c + 3 of a row are one load and one store of 16 bytes
// if rows and columns are multiples of 4. With a warp on 8 vectors of 4 rows
// and 73 words a row of the tile, it finds each of its elements in a bank of
// its own.
//
// A warp has half of four rows, and comes by four times. `half`: every other
// row of `out` begins in the middle of a sector of 8 floats, and four more rows
// of `in` are loaded.
template <bool half>
__device__ void transpose_vectors(float* out, const float* in, int rows,
                                  int cols, int left, int top,
                                  float (*tile)[width]) {
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int i = warp % 2 * 32 + lane % 8 * 4, j = warp / 2 * 4 + lane / 8;
  constexpr int turns = half ? 5 : 4;
  float4 v[turns];
  for (int k = 0; k < turns; k++)
    if (left + i < cols && top + j + 16 * k < rows && (k < 4 || j < 4))
      v[k] = *reinterpret_cast<const float4*>(
          &in[(top + j + 16 * k) * cols + left + i]);
  for (int k = 0; k < turns; k++) {
    if (k == 4 && j >= 4) break;
    tile[i][j + 16 * k] = v[k].x;
    tile[i + 1][j + 16 * k] = v[k].y;
    tile[i + 2][j + 16 * k] = v[k].z;
    tile[i + 3][j + 16 * k] = v[k].w;
  }
  __syncthreads();
  const int skip = half ? j % 2 * 4 : 0;
  for (int k = 0; k < 4; k++) {
    const float* const t = &tile[j + 16 * k][skip + i];
    float* const to = &out[(left + j + 16 * k) * rows + top + skip + i];
    if (top + skip + i < rows && left + j + 16 * k < cols)
      *reinterpret_cast<float4*>(to) = make_float4(t[0], t[1], t[2], t[3]);
    if (half && top == 0 && i < skip && left + j + 16 * k < cols)
      *reinterpret_cast<float4*>(to - 4) =  // nobody above writes these
          make_float4(t[-4], t[-3], t[-2], t[-1]);
  }
}

// Rows of `out` begin anywhere in a sector of 8 floats. Two blocks that write
// parts of one sector cost more than two that read it, so each row of a tile
// begins and ends where a sector does: up to 7 elements further down in `in`.
__global__ void transpose_best(float* out, const float* in, int rows,
                               int cols) {
  constexpr int dim = best_tile;
  __shared__ float tile[dim][width];  // columns of `in`
  // Blocks that run at the same time are below each other: what they write lies
  // side by side.
  const int block = blockIdx.y * gridDim.x + blockIdx.x;
  const int left = block / gridDim.y * dim, top = block % gridDim.y * dim;
  if (rows % sector == 0 && cols % 4 == 0)
    return transpose_vectors<false>(out, in, rows, cols, left, top, tile);
  if (rows % 4 == 0 && cols % 4 == 0)
    return transpose_vectors<true>(out, in, rows, cols, left, top, tile);

  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int i = warp % 2 * 32 + lane, j = warp / 2;
  for (int k = 0; k < dim + sector; k += 4)
    if (left + i < cols && top + j + k < rows)
      tile[i][j + k] = in[(top + j + k) * cols + left + i];
  __syncthreads();
  const int skip = -(warp * rows) & (sector - 1);  // in every eighth row
  const auto move = [&](int y) {
    if (top + y >= rows) return;
    const float* const t = &tile[warp][y];
    float* const to = &out[(left + warp) * rows + top + y];
    for (int k = 0; k < dim; k += 8)
      if (left + warp + k < cols) to[k * rows] = t[k * width];
  };
  move(skip + lane);
  move(skip + lane + 32);
  if (top == 0 && lane < skip) move(lane);  // nobody above writes these
}

// Part 5: C = A * B. A has N rows of R numbers, B has R rows of M, so C has N
// rows of M. T is float or double. One thread an element of C, blocks of
// (32, 32). For comparison: do not edit.
template <typename T>
__global__ void product_naive(T* c, const T* a, const T* b, int N, int R,
                              int M) {
  const int x = blockIdx.x * 32 + threadIdx.x;
  const int y = blockIdx.y * 32 + threadIdx.y;
  if (x >= M || y >= N) return;
  T sum = 0;
  for (int k = 0; k < R; k++) sum += a[y * R + k] * b[k * M + x];
  c[y * M + x] = sum;
}

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
