// SPDX-License-Identifier: Apache-2.0
// Style: transpose_best turns 4 x 4 numbers in registers; one product for both kinds of blocks.
// Expect: pass 100..100

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

// Part 2: through a tile of 32 x 32 in shared memory. Do not edit this one.
template <int pad>
__global__ void copy_tile(float* out, const float* in, int rows, int cols) {
  __shared__ float tile[32][32 + pad];
  const int i = threadIdx.x, j = threadIdx.y;
  const int x = blockIdx.x * 32 + i, y = blockIdx.y * 32 + j;
  if (x < cols && y < rows) tile[j][i] = in[y * cols + x];
  __syncthreads();
  if (x < cols && y < rows) out[y * cols + x] = tile[j][i];
}

// Column i of the tile is a row of `in`, so rows of `out` are rows of the tile.
template <int pad>
__global__ void transpose_tile(float* out, const float* in, int rows,
                               int cols) {
  __shared__ float turned[32][32 + pad];
  const int i = threadIdx.x, j = threadIdx.y;
  const int left = blockIdx.x * 32, top = blockIdx.y * 32;
  if (left + i < cols && top + j < rows)
    turned[i][j] = in[(top + j) * cols + (left + i)];
  __syncthreads();
  if (left + j < cols && top + i < rows)
    out[(left + j) * rows + (top + i)] = turned[j][i];
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

// transpose_tile with the blocks of copy_several.
template <int pad>
__global__ void transpose_several(float* out, const float* in, int rows,
                                  int cols) {
  __shared__ float turned[32][32 + pad];
  const int i = threadIdx.x, j = threadIdx.y;
  const int left = blockIdx.x * 32, top = blockIdx.y * 32;
  const float* from = in + (top + j) * cols + (left + i);
  if (left + i < cols) {
#pragma unroll
    for (int k = 0; k < 32; k += 8)
      if (top + j + k < rows) turned[i][j + k] = from[k * cols];
  }
  __syncthreads();
  float* to = out + (left + j) * rows + (top + i);
  if (top + i < rows) {
#pragma unroll
    for (int k = 0; k < 32; k += 8)
      if (left + j + k < cols) to[k * rows] = turned[j + k][i];
  }
}

// Without padding: row j of the tile is rotated by 3 * j. As 3 is odd, the
// words of a column lie in 32 banks, too.
__global__ void transpose_swizzled(float* out, const float* in, int rows,
                                   int cols) {
  __shared__ float tile[32][32];
  const int i = threadIdx.x, j = threadIdx.y;
  const int left = blockIdx.x * 32, top = blockIdx.y * 32;
  const auto at = [&](int x, int y) -> float& { return tile[y][(x + 3 * y) & 31]; };
#pragma unroll
  for (int k = 0; k < 32; k += 8)
    if (left + i < cols && top + j + k < rows)
      at(i, j + k) = in[(top + j + k) * cols + (left + i)];
  __syncthreads();
#pragma unroll
  for (int k = 0; k < 32; k += 8)
    if (top + i < rows && left + j + k < cols)
      out[(left + j + k) * rows + (top + i)] = at(j + k, i);
}

// Part 4: as fast as the card's own copy.

// All threads of the grid take vectors in turns, four turns at a time while
// there are so many.
__global__ void copy_best(float* out, const float* in, int rows, int cols) {
  const int n = rows * cols, n4 = n / 4;
  const int first = blockIdx.x * blockDim.x + threadIdx.x, step = gridDim.x * blockDim.x;
  const float4* const from = reinterpret_cast<const float4*>(in);
  float4* const to = reinterpret_cast<float4*>(out);
  int i = first;
  for (; i + 3 * step < n4; i += 4 * step) {
    const float4 a = from[i], b = from[i + step], c = from[i + 2 * step], d = from[i + 3 * step];
    to[i] = a;
    to[i + step] = b;
    to[i + 2 * step] = c;
    to[i + 3 * step] = d;
  }
  for (; i < n4; i += step) to[i] = from[i];
  if (4 * n4 + first < n) out[4 * n4 + first] = in[4 * n4 + first];
}

// A block of transpose_best has best_threads threads and a tile of best_tile x
// best_tile elements, the one that is blockIdx.x to the right and blockIdx.y
// down.
constexpr int best_tile = 64, best_threads = 256;

// A thread has a block of 4 x 4: four vectors of rows of `in` come, four of
// rows of `out` go, and what lies between are names of registers. A warp has 32
// columns and 16 rows of the tile; it loads 128 bytes of each row and stores 64
// of each column, whole sectors. Of eight lanes that are served together, two
// neighbours have a row, and the four pairs lie in different quarters of 128
// bytes, so that no two of them share a bank.
__device__ void turn_in_registers(float* out, const float* in, int rows, int cols) {
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int block_y = lane % 8 / 2, block_x = (lane / 8 + block_y) % 4 * 2 + lane % 2;
  const int x = blockIdx.x * best_tile + warp % 2 * 32 + 4 * block_x;
  const int y = blockIdx.y * best_tile + warp / 2 * 16 + 4 * block_y;
  if (x >= cols || y >= rows) return;  // Both are multiples of 4: no block is cut.
  const float* const from = in + y * cols + x;
  float* const to = out + x * rows + y;
  const auto row = [=](int k) { return *reinterpret_cast<const float4*>(from + k * cols); };
  const auto put = [=](int k, float p, float q, float r, float s) {
    *reinterpret_cast<float4*>(to + k * rows) = make_float4(p, q, r, s);
  };
  const float4 a = row(0), b = row(1), c = row(2), d = row(3);
  put(0, a.x, b.x, c.x, d.x);
  put(1, a.y, b.y, c.y, d.y);
  put(2, a.z, b.z, c.z, d.z);
  put(3, a.w, b.w, c.w, d.w);
}

// Else rows begin anywhere, and a tile in shared memory does it.
__global__ void transpose_best(float* out, const float* in, int rows,
                               int cols) {
  if (rows % 4 == 0 && cols % 4 == 0) {
    turn_in_registers(out, in, rows, cols);
    return;
  }
  __shared__ float turned[best_tile][best_tile + 1];
  constexpr int each = best_threads / best_tile;  // Rows that the block takes at once.
  const int i = threadIdx.x % best_tile, j = threadIdx.x / best_tile;
  const int left = blockIdx.x * best_tile, top = blockIdx.y * best_tile;
  const float* const from = in + (top + j) * cols + (left + i);
  if (left + i < cols) {
#pragma unroll
    for (int k = 0; k < best_tile; k += each)
      if (top + j + k < rows) turned[i][j + k] = from[k * cols];
  }
  __syncthreads();
  float* const to = out + (left + j) * rows + (top + i);
  if (top + i < rows) {
#pragma unroll
    for (int k = 0; k < best_tile; k += each)
      if (left + j + k < cols) to[k * rows] = turned[j + k][i];
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

// Every number of A and B that is loaded is used 32 times.
template <typename T>
__global__ void __launch_bounds__(1024) product_tiled(T* c, const T* a, const T* b, int N, int R,
                                                      int M) {
  __shared__ T of_a[32][32];
  __shared__ T of_b[32][32];
  const int i = threadIdx.x, j = threadIdx.y;
  const int x = blockIdx.x * 32 + i, y = blockIdx.y * 32 + j;
  const bool has_row = y < N, has_column = x < M;
  const T* from_a = a + y * R + i;  // Moves to the right,
  const T* from_b = b + j * M + x;  // and this one down.
  T sum = 0;
  for (int left = R; left > 0; left -= 32) {
    of_a[j][i] = has_row && i < left ? *from_a : T(0);
    of_b[j][i] = has_column && j < left ? *from_b : T(0);
    from_a += 32;
    from_b += 32 * M;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 32; k++) sum += of_a[j][k] * of_b[k][i];
    __syncthreads();
  }
  if (has_row && has_column) c[y * M + x] = sum;
}

// Numbers of a row or column that a thread has in registers, 16 apart.
template <typename T, int n>
struct Fragment {
  T of[n];
  __device__ explicit Fragment(const T* from) {
#pragma unroll
    for (int p = 0; p < n; p++) of[p] = from[16 * p];
  }
};

// A block of 16 x 16 threads, each with `each` rows and columns of C. A's part
// lies turned in shared memory; with 2 words more a row, neither storing nor
// loading it has conflicts.
template <typename T, int each>
__device__ void blocked_product(T* c, const T* a, const T* b, int N, int R, int M, int i, int j) {
  constexpr int depth = 16, dim = 16 * each;
  __shared__ T of_a[depth][dim + 2];
  __shared__ T of_b[depth][dim];
  const int left = blockIdx.x * dim, top = blockIdx.y * dim;
  T sum[each][each] = {};
  for (int first = 0; first < R; first += depth) {
#pragma unroll
    for (int p = 0; p < each; p++) {
      const int y = top + j + 16 * p, x = left + i + 16 * p;
      of_a[i][j + 16 * p] = y < N && first + i < R ? a[y * R + first + i] : T(0);
      of_b[j][i + 16 * p] = x < M && first + j < R ? b[(first + j) * M + x] : T(0);
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < depth; k++) {
      const Fragment<T, each> row(&of_a[k][j]), column(&of_b[k][i]);
#pragma unroll
      for (int p = 0; p < each; p++)
#pragma unroll
        for (int q = 0; q < each; q++) sum[p][q] += row.of[p] * column.of[q];
    }
    __syncthreads();
  }
#pragma unroll
  for (int p = 0; p < each; p++) {
    const int y = top + j + 16 * p;
#pragma unroll
    for (int q = 0; q < each; q++)
      if (const int x = left + i + 16 * q; y < N && x < M) c[y * M + x] = sum[p][q];
  }
}

template <typename T>
__global__ void product_registers(T* c, const T* a, const T* b, int N, int R,
                                  int M) {
  blocked_product<T, 4>(c, a, b, N, R, M, threadIdx.x, threadIdx.y);
}

template <typename T, int each>
__global__ void __launch_bounds__(256) product_best(T* c, const T* a, const T* b, int N, int R,
                                                    int M) {
  blocked_product<T, each>(c, a, b, N, R, M, threadIdx.x % 16, threadIdx.x / 16);
}
