// SPDX-License-Identifier: Apache-2.0
// Homework 6: transpose and matrix product. You write the kernels that say
// Homework 6; README.md, in the same folder, is the assignment. There is device
// code here and nothing else: the program hw06 makes the matrices, launches
// these kernels, checks and measures them. Build with make (F9 in Emacs), run
// with ./hw06.
//
// Matrices lie in memory row after row and begin at a multiple of 256 bytes.
// They have any number of rows and columns, multiples of nothing.

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

// Homework 6: a block reads rows of `in` and writes rows of `out`. It turns the
// tile in shared memory, where reading down a column costs no sectors. Note
// which block of `out` belongs to the block of `in`. Blocks as in copy_tile.
template <int pad>
__global__ void transpose_tile(float* out, const float* in, int rows,
                               int cols) {
  const int x = blockIdx.x * 32 + threadIdx.x;
  const int y = blockIdx.y * 32 + threadIdx.y;
  if (x < cols && y < rows) out[x * rows + y] = in[y * cols + x];
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

// Homework 6: transpose_tile with the blocks of copy_several.
template <int pad>
__global__ void transpose_several(float* out, const float* in, int rows,
                                  int cols) {
  const int x = blockIdx.x * 32 + threadIdx.x;
  for (int k = 0; k < 32; k += 8) {
    const int y = blockIdx.y * 32 + threadIdx.y + k;
    if (x < cols && y < rows) out[x * rows + y] = in[y * cols + x];
  }
}

// Homework 6: without bank conflicts and without padding. Nobody says that
// column i of the tile must lie at place i of each row. Blocks of (32, 8).
__global__ void transpose_swizzled(float* out, const float* in, int rows,
                                   int cols) {
  const int x = blockIdx.x * 32 + threadIdx.x;
  for (int k = 0; k < 32; k += 8) {
    const int y = blockIdx.y * 32 + threadIdx.y + k;
    if (x < cols && y < rows) out[x * rows + y] = in[y * cols + x];
  }
}

// Part 4: as fast as the card's own copy.

// Homework 6: to a copy, a matrix is an array of rows * cols elements. Blocks
// are of 256 threads, and there may be any number of them; each thread has some
// 16 elements. Load 16 bytes at a time, several times before the first store.
__global__ void copy_best(float* out, const float* in, int rows, int cols) {
  const int step = gridDim.x * blockDim.x;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (; i < rows * cols; i += step) out[i] = in[i];
}

// A block of transpose_best has best_threads threads and a tile of best_tile x
// best_tile elements, the one that is blockIdx.x to the right and blockIdx.y
// down. Choose both numbers.
constexpr int best_tile = 32, best_threads = 256;

// Homework 6: tiles with longer rows, more on its way at once, and 16 bytes a
// load and store where rows and cols allow it.
__global__ void transpose_best(float* out, const float* in, int rows,
                               int cols) {
  for (int k = threadIdx.x; k < best_tile * best_tile; k += best_threads) {
    const int x = blockIdx.x * best_tile + k % best_tile;
    const int y = blockIdx.y * best_tile + k / best_tile;
    if (x < cols && y < rows) out[x * rows + y] = in[y * cols + x];
  }
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

// Homework 6: let the block load a tile of 32 x 32 of A and one of B into
// shared memory, multiply these, and go on to the next two, to the right in A
// and down in B. Blocks as in product_naive. Mind the edges: 0 adds nothing.
template <typename T>
__global__ void product_tiled(T* c, const T* a, const T* b, int N, int R,
                              int M) {
  const int x = blockIdx.x * 32 + threadIdx.x;
  const int y = blockIdx.y * 32 + threadIdx.y;
  if (x >= M || y >= N) return;
  T sum = 0;
  for (int k = 0; k < R; k++) sum += a[y * R + k] * b[k * M + x];
  c[y * M + x] = sum;
}

// Homework 6: register blocking. In product_tiled there are two loads from
// shared memory for each multiply-add. Here blocks are (16, 16) and have a tile
// of 64 x 64 of C: a thread has 4 rows and 4 columns of it, 16 sums. Each turn
// it loads 4 + 4 numbers into registers and multiplies each with each.
template <typename T>
__global__ void product_registers(T* c, const T* a, const T* b, int N, int R,
                                  int M) {
  for (int i = 0; i < 16; i++) {
    const int x = blockIdx.x * 64 + threadIdx.x + i % 4 * 16;
    const int y = blockIdx.y * 64 + threadIdx.y + i / 4 * 16;
    if (x >= M || y >= N) continue;
    T sum = 0;
    for (int k = 0; k < R; k++) sum += a[y * R + k] * b[k * M + x];
    c[y * M + x] = sum;
  }
}

// Homework 6: as fast as you can. Blocks are of 256 threads in one dimension,
// and have a tile of 16 * each rows and columns; `each` is 2, 4 or 8. With more
// there are fewer loads for a multiply-add, and fewer blocks for the card.
// Begin with product_registers; README.md says what else helps.
template <typename T, int each>
__global__ void product_best(T* c, const T* a, const T* b, int N, int R,
                             int M) {
  const int dim = 16 * each;
  for (int i = threadIdx.x; i < dim * dim; i += 256) {
    const int x = blockIdx.x * dim + i % dim, y = blockIdx.y * dim + i / dim;
    if (x >= M || y >= N) continue;
    T sum = 0;
    for (int k = 0; k < R; k++) sum += a[y * R + k] * b[k * M + x];
    c[y * M + x] = sum;
  }
}
