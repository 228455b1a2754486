// SPDX-License-Identifier: Apache-2.0
// Style: product_registers has four columns side by side, which are stored one by one.
// Expect: pass 100..100
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

// Rows are read as in the copy. Rows of `out` are columns of the tile.
template <int pad>
__global__ void transpose_tile(float* out, const float* in, int rows,
                               int cols) {
  __shared__ float tile[32][32 + pad];
  const int i = threadIdx.x, j = threadIdx.y;
  const int left = blockIdx.x * 32, top = blockIdx.y * 32;
  if (left + i < cols && top + j < rows)
    tile[j][i] = in[(top + j) * cols + left + i];
  __syncthreads();
  if (top + i < rows && left + j < cols)
    out[(left + j) * rows + top + i] = tile[i][j];
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

// As transpose_tile, four elements a thread.
template <int pad>
__global__ void transpose_several(float* out, const float* in, int rows,
                                  int cols) {
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
}

// The word of column i in row j lies at i ^ j: a row still has all 32 banks,
// and so has a column.
__global__ void transpose_swizzled(float* out, const float* in, int rows,
                                   int cols) {
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
}

// Numbers that are one load of 16 bytes.
template <typename T>
struct alignas(16) Sixteen {
  T x[16 / sizeof(T)];
};

// Eight numbers from shared memory, 16 multiply-adds. A thread's rows are 16
// apart; its columns lie side by side, so it reads those of B's tile 16 bytes
// at a time: one load (of doubles, two) instead of four.
template <typename T>
__global__ void product_registers(T* c, const T* a, const T* b, int N, int R,
                                  int M) {
  constexpr int depth = 16, each = 4, dim = 16 * each;
  constexpr int wide = 16 / sizeof(T);
  __shared__ T sa[dim][depth + 1];
  __shared__ __align__(16) T sb[depth][dim];
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
      for (int q = 0; q < each; q += wide) {
        const Sixteen<T> v =
            *reinterpret_cast<const Sixteen<T>*>(&sb[k][each * i + q]);
        for (int h = 0; h < wide; h++) rb[q + h] = v.x[h];
      }
      for (int p = 0; p < each; p++)
        for (int q = 0; q < each; q++) sum[p][q] += ra[p] * rb[q];
    }
    __syncthreads();
  }
  for (int p = 0; p < each; p++)
    for (int q = 0; q < each; q++) {
      const int y = top + j + 16 * p, x = left + each * i + q;
      if (y < N && x < M) c[y * M + x] = sum[p][q];
    }
}

// Some numbers that are loaded and stored at once.
template <typename T, int size>
struct alignas(size * sizeof(T)) Vector {
  T x[size];
};

// How the work is divided. A thread has rows * columns numbers of C, and each
// of `groups` of threads has the whole tile and a share of the depth: more
// numbers a thread, so fewer loads from shared memory for a multiply-add,
// without larger tiles. 64 doubles a thread leave room for one block on an SM.
template <typename T, int each>
struct Shares {
  static constexpr bool single = sizeof(T) == 4;
  static constexpr int dim = 16 * each, depth = 512 / (each * sizeof(T));
  static constexpr int rows = each == 8 ? 8 : 4;
  static constexpr int columns = each == 8 || (each == 4 && single) ? 8 : 4;
  static constexpr int groups = rows * columns / (each * each);
  static constexpr int blocks = each == 2 ? 3 : each == 8 && !single ? 1 : 2;
};

// Two parts of A and B, A's turned. A row is 16 bytes longer than it need be in
// floats, 32 in doubles: that keeps the stores of A in different banks.
template <typename T, int each>
struct Parts {
  static constexpr int dim = 16 * each, depth = Shares<T, each>::depth;
  alignas(16) T a[2][depth][dim + 4], b[2][depth][dim + 4];
};

// What a thread brings of each part, from memory to registers and from there to
// shared memory. `whole`: all rows begin at a multiple of 16 bytes. It takes
// two vectors of a row of A, a warp's being 32 bytes of each of 16 rows, and
// two of B, half a part apart.
template <bool whole, typename T, int each>
struct Loader {
  static constexpr int dim = 16 * each, depth = Shares<T, each>::depth;
  static constexpr int wide = 16 / sizeof(T);
  using V = Vector<T, wide>;
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int a_y = warp % each * 16 + lane / 2;
  const int a_k = (warp / each * 2 + lane % 2) * wide;
  const int b_x = threadIdx.x % (dim / wide) * wide;
  const int b_k = threadIdx.x / (dim / wide);
  const T *from_a, *from_b;
  const int a_n, b_n;  // how many numbers of the row of A, how many rows of B
  V va[2], vb[2];

  __device__ Loader(const T* a, const T* b, int top, int left, int N, int R,
                    int M)
      : from_a(a + (top + a_y) * static_cast<long long>(R) + a_k),
        from_b(b + b_k * static_cast<long long>(M) + left + b_x),
        a_n(top + a_y < N ? R - a_k : 0),
        b_n(left + b_x < M ? R - b_k : 0) {}

  // The next part: numbers `first` and on of rows of A, such rows of B.
  __device__ void load(int first, int R, int M) {
    for (int h = 0; h < 2; h++) {
      const int k = h * depth / 2;
      va[h] = vb[h] = {};
      if (first + k < a_n) va[h] = *reinterpret_cast<const V*>(from_a + k);
      if (first + k < b_n)
        vb[h] = *reinterpret_cast<const V*>(from_b +
                                            k * static_cast<long long>(M));
    }
    from_a += depth;
    from_b += depth * static_cast<long long>(M);
  }

  __device__ void store(Parts<T, each>& s, int half) {
    for (int h = 0; h < 2; h++) {
      const int k = h * depth / 2;
      for (int i = 0; i < wide; i++) s.a[half][a_k + k + i][a_y] = va[h].x[i];
      *reinterpret_cast<V*>(&s.b[half][b_k + k][b_x]) = vb[h];
    }
  }
};

// Else single numbers, a warp's being 8 of each of 4 rows of A, and 32 of a row
// of B. Instead of rows and columns that are not there the last one is taken:
// what becomes of it is not stored.
template <typename T, int each>
struct Loader<false, T, each> {
  static constexpr int dim = 16 * each, depth = Shares<T, each>::depth;
  static constexpr int ys = dim / 32, ks = depth / 8;
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int a_y = warp * 4 * ys + lane / 8, a_k = lane % 8;
  const T *from_a, *from_b;
  int below[ys], right[ys];
  T va[ks][ys], vb[ks][ys];

  __device__ Loader(const T* a, const T* b, int top, int left, int N, int R,
                    int M) {
    const int first = min(top + a_y, N - 1);
    from_a = a + first * static_cast<long long>(R) + a_k;
    from_b = b + warp * static_cast<long long>(M);
    for (int i = 0; i < ys; i++) {
      below[i] = (min(top + a_y + 4 * i, N - 1) - first) * R;
      right[i] = min(left + lane + 32 * i, M - 1);
    }
  }

  __device__ void load(int first, int R, int M) {
    for (int j = 0; j < ks; j++)
      for (int i = 0; i < ys; i++) {
        const int k = 8 * j;
        va[j][i] = vb[j][i] = 0;
        if (first + a_k + k < R) va[j][i] = from_a[below[i] + k];
        if (first + warp + k < R)
          vb[j][i] = from_b[(first + k) * static_cast<long long>(M) + right[i]];
      }
    from_a += depth;
  }

  __device__ void store(Parts<T, each>& s, int half) {
    for (int j = 0; j < ks; j++)
      for (int i = 0; i < ys; i++) {
        s.a[half][a_k + 8 * j][a_y + 4 * i] = va[j][i];
        s.b[half][warp + 8 * j][lane + 32 * i] = vb[j][i];
      }
  }
};

// While a block computes with one part of A and B, the next one is on its way
// to registers, and goes to the other half of shared memory, so that one
// barrier a part is enough. What a thread needs of a part are vectors of 16
// bytes, and which of them the lanes of a warp take makes two passes of each
// such load. `whole`: see Loader.
template <bool whole, typename T, int each>
__device__ void multiply(Parts<T, each>& s, T* c, const T* a, const T* b, int N,
                         int R, int M) {
  using Share = Shares<T, each>;
  constexpr int dim = s.dim, depth = s.depth, groups = Share::groups;
  constexpr int rows = Share::rows, columns = Share::columns;
  constexpr int part = 16 / sizeof(T);  // of one load from shared memory
  constexpr int down = rows / part, across = columns / part;
  constexpr int members = 256 / groups;
  using Part = Vector<T, part>;
  const int left = blockIdx.x * dim, top = blockIdx.y * dim;

  // What it computes: vectors of 4 by 8 lanes lie side by side, `down` times
  // one below the other and `across` times beside. Lanes n and n ^ 1 share
  // rows, n and n ^ 2 columns.
  const int lane = threadIdx.x % 32, warp = threadIdx.x % members / 32;
  const int group = threadIdx.x / members;
  const int lane_y = lane / 2 % 2 + lane / 8 % 2 * 2;
  const int lane_x = lane % 2 + lane / 4 % 2 * 2 + lane / 16 * 4;
  constexpr int beside = dim / columns / 8;  // warps
  const int c_y = warp / beside * 4 * rows + lane_y * part;
  const int c_x = warp % beside * 8 * columns + lane_x * part;
  T sum[rows][columns] = {};

  Loader<whole, T, each> loader(a, b, top, left, N, R, M);
  for (int first = 0, half = 0; first < R + depth; first += depth) {
    loader.load(first, R, M);
    if (first > 0) {
#pragma unroll
      for (int k = 0; k < depth / groups; k++) {
        const int at = group * (depth / groups) + k;
        Part ra[down], rb[across];
        for (int p = 0; p < down; p++)
          ra[p] = *reinterpret_cast<Part*>(&s.a[half][at][c_y + p * 4 * part]);
        for (int p = 0; p < across; p++)
          rb[p] = *reinterpret_cast<Part*>(&s.b[half][at][c_x + p * 8 * part]);
        for (int i = 0; i < rows; i++)
          for (int j = 0; j < columns; j++)
            sum[i][j] += ra[i / part].x[i % part] * rb[j / part].x[j % part];
      }
    }
    half = 1 - half;
    loader.store(s, half);
    __syncthreads();
  }

  // The upper half of the groups gives the lower half what it has, and so on.
  Part* const pool = reinterpret_cast<Part*>(&s);
  for (int n = groups / 2; n > 0; n /= 2) {
    const int step = n * members, t = threadIdx.x % step;
    for (int i = 0; i < rows * across; i++) {
      T* const mine = &sum[i / across][i % across * part];
      if (group / n == 1)
        for (int j = 0; j < part; j++) pool[i * step + t].x[j] = mine[j];
    }
    __syncthreads();
    for (int i = 0; i < rows * across; i++) {
      T* const mine = &sum[i / across][i % across * part];
      if (group < n)
        for (int j = 0; j < part; j++) mine[j] += pool[i * step + t].x[j];
    }
    __syncthreads();
  }
  if (group > 0) return;

  for (int i = 0; i < rows; i++) {
    const int y = top + c_y + i / part * 4 * part + i % part;
    for (int p = 0; p < across; p++) {
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
template <typename T, int each>
__launch_bounds__(256, Shares<T, each>::blocks)
__global__ void product_best(T* c, const T* a, const T* b, int N, int R,
                             int M) {
  __shared__ Parts<T, each> parts;
  constexpr int wide = 16 / sizeof(T);
  if (R % wide == 0 && M % wide == 0)
    multiply<true>(parts, c, a, b, N, R, M);
  else
    multiply<false>(parts, c, a, b, N, R, M);
}
