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

#if SOLUTION
// Rows are read as in the copy. Rows of `out` are columns of the tile.
#else
// Homework 6: a block reads rows of `in` and writes rows of `out`. It turns the
// tile in shared memory, where reading down a column costs no sectors. Note
// which block of `out` belongs to the block of `in`. Blocks as in copy_tile.
#endif
template <int pad>
__global__ void transpose_tile(float* out, const float* in, int rows,
                               int cols) {
#if SOLUTION
  __shared__ float tile[32][32 + pad];
  const int i = threadIdx.x, j = threadIdx.y;
  const int left = blockIdx.x * 32, top = blockIdx.y * 32;
  if (left + i < cols && top + j < rows)
    tile[j][i] = in[(top + j) * cols + left + i];
  __syncthreads();
  if (top + i < rows && left + j < cols)
    out[(left + j) * rows + top + i] = tile[i][j];
#else
  const int x = blockIdx.x * 32 + threadIdx.x;
  const int y = blockIdx.y * 32 + threadIdx.y;
  if (x < cols && y < rows) out[x * rows + y] = in[y * cols + x];
#endif
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

#if SOLUTION
// As transpose_tile, four elements a thread.
#else
// Homework 6: transpose_tile with the blocks of copy_several.
#endif
template <int pad>
__global__ void transpose_several(float* out, const float* in, int rows,
                                  int cols) {
#if SOLUTION
  __shared__ float tile[32][32 + pad];
  const int i = threadIdx.x, j = threadIdx.y;
  const int left = blockIdx.x * 32, top = blockIdx.y * 32;
  for (int k = 0; k < 32; k += 8)
    if (left + i < cols && top + j + k < rows)
      tile[j + k][i] = in[(top + j + k) * cols + left + i];
  __syncthreads();
  for (int k = 0; k < 32; k += 8)
    if (top + i < rows && left + j + k < cols)
      out[(left + j + k) * rows + top + i] = tile[i][j + k];
#else
  const int x = blockIdx.x * 32 + threadIdx.x;
  for (int k = 0; k < 32; k += 8) {
    const int y = blockIdx.y * 32 + threadIdx.y + k;
    if (x < cols && y < rows) out[x * rows + y] = in[y * cols + x];
  }
#endif
}

#if SOLUTION
// The word of column i in row j lies at i ^ j: a row still has all 32 banks,
// and so has a column.
#else
// Homework 6: without bank conflicts and without padding. Nobody says that
// column i of the tile must lie at place i of each row. Blocks of (32, 8).
#endif
__global__ void transpose_swizzled(float* out, const float* in, int rows,
                                   int cols) {
#if SOLUTION
  __shared__ float tile[32][32];
  const int i = threadIdx.x, j = threadIdx.y;
  const int left = blockIdx.x * 32, top = blockIdx.y * 32;
  for (int k = 0; k < 32; k += 8)
    if (left + i < cols && top + j + k < rows)
      tile[j + k][i ^ (j + k)] = in[(top + j + k) * cols + left + i];
  __syncthreads();
  for (int k = 0; k < 32; k += 8)
    if (top + i < rows && left + j + k < cols)
      out[(left + j + k) * rows + top + i] = tile[i][(j + k) ^ i];
#else
  const int x = blockIdx.x * 32 + threadIdx.x;
  for (int k = 0; k < 32; k += 8) {
    const int y = blockIdx.y * 32 + threadIdx.y + k;
    if (x < cols && y < rows) out[x * rows + y] = in[y * cols + x];
  }
#endif
}

// Part 4: as fast as the card's own copy.

#if SOLUTION
// Loads of 16 bytes, four of them on their way at once.
#else
// Homework 6: to a copy, a matrix is an array of rows * cols elements. Blocks
// are of 256 threads, and there may be any number of them; each thread has some
// 16 elements. Load 16 bytes at a time, several times before the first store.
#endif
__global__ void copy_best(float* out, const float* in, int rows, int cols) {
#if SOLUTION
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
#else
  const int step = gridDim.x * blockDim.x;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (; i < rows * cols; i += step) out[i] = in[i];
#endif
}

// A block of transpose_best has best_threads threads and a tile of best_tile x
// best_tile elements, the one that is blockIdx.x to the right and blockIdx.y
// down. Choose both numbers.
#if SOLUTION
constexpr int best_tile = 64, best_threads = 256;

// Elements 4 * c to 4 * c + 3 of a row are one load and one store of 16 bytes
// if rows and columns are multiples of 4. With a warp on 8 vectors of 4 rows
// and 65 words a row of the tile, it finds each of its elements in a bank of
// its own.
#else
constexpr int best_tile = 32, best_threads = 256;

// Homework 6: tiles with longer rows, more on its way at once, and 16 bytes a
// load and store where rows and cols allow it.
#endif
__global__ void transpose_best(float* out, const float* in, int rows,
                               int cols) {
#if SOLUTION
  constexpr int dim = best_tile;
  __shared__ float tile[dim][dim + 1];  // column after column of `in`
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  // Blocks that run at the same time are below each other: what they write lies
  // side by side.
  const int block = blockIdx.y * gridDim.x + blockIdx.x;
  const int left = block / gridDim.y * dim, top = block % gridDim.y * dim;
  if (rows % 4 == 0 && cols % 4 == 0) {
    // A warp has half of four rows, and comes by four times.
    const int i = warp % 2 * 32 + lane % 8 * 4, j = warp / 2 * 4 + lane / 8;
    float4 v[4];
    for (int k = 0; k < 4; k++)
      if (left + i < cols && top + j + 16 * k < rows)
        v[k] = *reinterpret_cast<const float4*>(
            &in[(top + j + 16 * k) * cols + left + i]);
    for (int k = 0; k < 4; k++) {
      tile[i][j + 16 * k] = v[k].x;
      tile[i + 1][j + 16 * k] = v[k].y;
      tile[i + 2][j + 16 * k] = v[k].z;
      tile[i + 3][j + 16 * k] = v[k].w;
    }
    __syncthreads();
    for (int k = 0; k < 4; k++) {
      const float* const t = &tile[j + 16 * k][i];
      if (top + i < rows && left + j + 16 * k < cols)
        *reinterpret_cast<float4*>(
            &out[(left + j + 16 * k) * rows + top + i]) =
            make_float4(t[0], t[1], t[2], t[3]);
    }
    return;
  }
  const int i = warp % 2 * 32 + lane, j = warp / 2;
  for (int k = 0; k < dim; k += 4)
    if (left + i < cols && top + j + k < rows)
      tile[i][j + k] = in[(top + j + k) * cols + left + i];
  __syncthreads();
  for (int k = 0; k < dim; k += 4)
    if (top + i < rows && left + j + k < cols)
      out[(left + j + k) * rows + top + i] = tile[j + k][i];
#else
  for (int k = threadIdx.x; k < best_tile * best_tile; k += best_threads) {
    const int x = blockIdx.x * best_tile + k % best_tile;
    const int y = blockIdx.y * best_tile + k / best_tile;
    if (x < cols && y < rows) out[x * rows + y] = in[y * cols + x];
  }
#endif
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

#if SOLUTION
// Every number of A and B that is loaded is used 32 times.
#else
// Homework 6: let the block load a tile of 32 x 32 of A and one of B into
// shared memory, multiply these, and go on to the next two, to the right in A
// and down in B. Blocks as in product_naive. Mind the edges: 0 adds nothing.
#endif
template <typename T>
__global__ void product_tiled(T* c, const T* a, const T* b, int N, int R,
                              int M) {
#if SOLUTION
  __shared__ T sa[32][32], sb[32][32];
  const int i = threadIdx.x, j = threadIdx.y;
  const int x = blockIdx.x * 32 + i, y = blockIdx.y * 32 + j;
  T sum = 0;
  for (int first = 0; first < R; first += 32) {
    sa[j][i] = y < N && first + i < R ? a[y * R + first + i] : 0;
    sb[j][i] = x < M && first + j < R ? b[(first + j) * M + x] : 0;
    __syncthreads();
    for (int k = 0; k < 32; k++) sum += sa[j][k] * sb[k][i];
    __syncthreads();
  }
  if (x < M && y < N) c[y * M + x] = sum;
#else
  const int x = blockIdx.x * 32 + threadIdx.x;
  const int y = blockIdx.y * 32 + threadIdx.y;
  if (x >= M || y >= N) return;
  T sum = 0;
  for (int k = 0; k < R; k++) sum += a[y * R + k] * b[k * M + x];
  c[y * M + x] = sum;
#endif
}

#if SOLUTION
// Eight numbers from shared memory, 16 multiply-adds. A thread's rows and
// columns are 16 apart: neighbours read neighbouring words.
#else
// Homework 6: register blocking. In product_tiled there are two loads from
// shared memory for each multiply-add. Here blocks are (16, 16) and have a tile
// of 64 x 64 of C: a thread has 4 rows and 4 columns of it, 16 sums. Each turn
// it loads 4 + 4 numbers into registers and multiplies each with each.
#endif
template <typename T>
__global__ void product_registers(T* c, const T* a, const T* b, int N, int R,
                                  int M) {
#if SOLUTION
  constexpr int depth = 16, each = 4, dim = 16 * each;
  __shared__ T sa[dim][depth + 1], sb[depth][dim];
  const int i = threadIdx.x, j = threadIdx.y;
  const int left = blockIdx.x * dim, top = blockIdx.y * dim;
  T sum[each][each] = {};
  for (int first = 0; first < R; first += depth) {
    for (int p = 0; p < each; p++) {
      const int y = top + j + 16 * p, x = left + i + 16 * p;
      sa[j + 16 * p][i] = y < N && first + i < R ? a[y * R + first + i] : 0;
      sb[j][i + 16 * p] = x < M && first + j < R ? b[(first + j) * M + x] : 0;
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
      if (y < N && x < M) c[y * M + x] = sum[p][q];
    }
#else
  for (int i = 0; i < 16; i++) {
    const int x = blockIdx.x * 64 + threadIdx.x + i % 4 * 16;
    const int y = blockIdx.y * 64 + threadIdx.y + i / 4 * 16;
    if (x >= M || y >= N) continue;
    T sum = 0;
    for (int k = 0; k < R; k++) sum += a[y * R + k] * b[k * M + x];
    c[y * M + x] = sum;
  }
#endif
}

#if SOLUTION
// Some numbers that are loaded and stored at once.
template <typename T, int size>
struct alignas(size * sizeof(T)) Vector {
  T x[size];
};

// The numbers from `p` on, 0 from p[n] on: one load if `whole`, where p is
// aligned and n a multiple of their number or not above 0.
template <bool whole, typename T, int size>
__device__ void load(Vector<T, size>* v, const T* p, int n) {
  if constexpr (whole) {
    if (n > 0) *v = *reinterpret_cast<const Vector<T, size>*>(p);
  } else {
    for (int i = 0; i < size; i++) v->x[i] = i < n ? p[i] : 0;
  }
}

// Two parts of A and B, A's turned. A row is 16 bytes longer than it need be in
// floats, 32 in doubles: that keeps the stores of A in different banks.
template <typename T, int each>
struct Parts {
  static constexpr int dim = 16 * each, depth = 512 / (each * sizeof(T));
  alignas(16) T a[2][depth][dim + 4], b[2][depth][dim + 4];
};

// A thread has each * each numbers of C. While a block computes with one part
// of A and B, the next one is on its way to registers, and goes to the other
// half of shared memory, so that one barrier a part is enough. What a thread
// needs of a part are vectors of 16 bytes, and which of them the lanes of a
// warp take makes two passes of each such load. `whole`: see load().
template <bool whole, typename T, int each>
__device__ void multiply(Parts<T, each>& s, T* c, const T* a, const T* b, int N,
                         int R, int M) {
  constexpr int dim = s.dim, depth = s.depth;
  constexpr int wide = 16 / sizeof(T);             // of a load from A and B
  constexpr int part = each < wide ? each : wide;  // of one from shared memory
  constexpr int parts = each / part;
  using Part = Vector<T, part>;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int left = blockIdx.x * dim, top = blockIdx.y * dim;

  // What this thread loads: two vectors of a row of A, a warp's being 32 bytes
  // of each of 16 rows, and two of B, half a part apart.
  const int a_y = warp % each * 16 + lane / 2;
  const int a_k = (warp / each * 2 + lane % 2) * wide;
  const int b_x = threadIdx.x % (dim / wide) * wide;
  const int b_k = threadIdx.x / (dim / wide);
  const T* const from_a = a + (top + a_y) * static_cast<long long>(R) + a_k;
  const T* const from_b = b + b_k * static_cast<long long>(M) + left + b_x;
  const int a_left = top + a_y < N ? R - a_k : 0, b_left = M - left - b_x;

  // What it computes: a warp has a quarter by a half of the tile. Vectors of 4
  // by 8 lanes lie side by side, `parts` times. Lanes n and n ^ 1 share rows,
  // n and n ^ 2 columns.
  const int lane_y = lane / 2 % 2 + lane / 8 % 2 * 2;
  const int lane_x = lane % 2 + lane / 4 % 2 * 2 + lane / 16 * 4;
  const int c_y = warp / 2 * 4 * each + lane_y * part;
  const int c_x = warp % 2 * 8 * each + lane_x * part;
  T sum[each][each] = {};

  for (int first = 0, half = 0; first < R + depth; first += depth) {
    Vector<T, wide> va[2] = {}, vb[2] = {};
    for (int h = 0; h < 2; h++) {
      const int k = first + h * depth / 2;
      load<whole>(&va[h], from_a + k, a_left - k);
      load<whole>(&vb[h], from_b + k * static_cast<long long>(M),
                  b_k + k < R ? b_left : 0);
    }
    if (first > 0) {
#pragma unroll
      for (int k = 0; k < depth; k++) {
        Part ra[parts], rb[parts];
        for (int p = 0; p < parts; p++) {
          ra[p] = *reinterpret_cast<Part*>(&s.a[half][k][c_y + p * 4 * part]);
          rb[p] = *reinterpret_cast<Part*>(&s.b[half][k][c_x + p * 8 * part]);
        }
        for (int i = 0; i < each; i++)
          for (int j = 0; j < each; j++)
            sum[i][j] += ra[i / part].x[i % part] * rb[j / part].x[j % part];
      }
    }
    half = 1 - half;
    for (int h = 0; h < 2; h++) {
      const int k = h * depth / 2;
      for (int i = 0; i < wide; i++) s.a[half][a_k + k + i][a_y] = va[h].x[i];
      *reinterpret_cast<Vector<T, wide>*>(&s.b[half][b_k + k][b_x]) = vb[h];
    }
    __syncthreads();
  }

  for (int i = 0; i < each; i++) {
    const int y = top + c_y + i / part * 4 * part + i % part;
    for (int p = 0; p < parts; p++) {
      const int x = left + c_x + p * 8 * part;
      T* const to = c + y * static_cast<long long>(M) + x;
      if constexpr (whole) {
        Part v;
        for (int j = 0; j < part; j++) v.x[j] = sum[i][p * part + j];
        if (y < N && x < M) *reinterpret_cast<Part*>(to) = v;
      } else {
        for (int j = 0; j < part; j++)
          if (y < N && x + j < M) to[j] = sum[i][p * part + j];
      }
    }
  }
}

// Two such blocks are to fit on an SM, except with 64 doubles a thread.
#else
// Homework 6: as fast as you can. Blocks are of 256 threads in one dimension,
// and have a tile of 16 * each rows and columns; `each` is 2, 4 or 8. With more
// there are fewer loads for a multiply-add, and fewer blocks for the card.
// Begin with product_registers; README.md says what else helps.
#endif
template <typename T, int each>
#if SOLUTION
__launch_bounds__(256, each* sizeof(T) > 32 ? 1 : 2)
#endif
__global__ void product_best(T* c, const T* a, const T* b, int N, int R,
                             int M) {
#if SOLUTION
  __shared__ Parts<T, each> parts;
  constexpr int wide = 16 / sizeof(T);
  if (R % wide == 0 && M % wide == 0)
    multiply<true>(parts, c, a, b, N, R, M);
  else
    multiply<false>(parts, c, a, b, N, R, M);
#else
  const int dim = 16 * each;
  for (int i = threadIdx.x; i < dim * dim; i += 256) {
    const int x = blockIdx.x * dim + i % dim, y = blockIdx.y * dim + i / dim;
    if (x >= M || y >= N) continue;
    T sum = 0;
    for (int k = 0; k < R; k++) sum += a[y * R + k] * b[k * M + x];
    c[y * M + x] = sum;
  }
#endif
}
