// SPDX-License-Identifier: Apache-2.0
// Style: classes and lambdas: wide loads through a pitch of 65, two buffers, packs of A.
// Expect: pass 100..100

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

// A block's tile of 32 x 32, `height` rows of it at once.
template <int pad, int height>
__device__ void turn_tile(float* out, const float* in, int rows, int cols) {
  __shared__ float tile[32][32 + pad];
  const int i = threadIdx.x, left = blockIdx.x * 32, top = blockIdx.y * 32;
  const auto for_my_rows = [](auto f) {
#pragma unroll
    for (int k = 0; k < 32; k += height) f(static_cast<int>(threadIdx.y) + k);
  };
  for_my_rows([&](int j) {
    if (top + j < rows && left + i < cols) tile[j][i] = in[(top + j) * cols + left + i];
  });
  __syncthreads();
  for_my_rows([&](int j) {
    if (left + j < cols && top + i < rows) out[(left + j) * rows + top + i] = tile[i][j];
  });
}

template <int pad>
__global__ void transpose_tile(float* out, const float* in, int rows,
                               int cols) {
  turn_tile<pad, 32>(out, in, rows, cols);
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

template <int pad>
__global__ void transpose_several(float* out, const float* in, int rows,
                                  int cols) {
  turn_tile<pad, 8>(out, in, rows, cols);
}

// A tile whose word (row, column) lies at column ^ row of its row.
class SwizzledTile {
  float (&words)[32 * 32];

 public:
  __device__ explicit SwizzledTile(float (&memory)[32 * 32]) : words(memory) {}
  __device__ float& operator()(int row, int column) const {
    return words[32 * row + (row ^ column)];
  }
};

__global__ void transpose_swizzled(float* out, const float* in, int rows,
                                   int cols) {
  __shared__ float memory[32 * 32];
  const SwizzledTile tile(memory);
  const int i = threadIdx.x, j = threadIdx.y;
  const int left = blockIdx.x * 32, top = blockIdx.y * 32;
#pragma unroll
  for (int k = 0; k < 32; k += 8)
    if (left + i < cols && top + j + k < rows)
      tile(j + k, i) = in[(top + j + k) * cols + left + i];
  __syncthreads();
#pragma unroll
  for (int k = 0; k < 32; k += 8)
    if (top + i < rows && left + j + k < cols)
      out[(left + j + k) * rows + top + i] = tile(i, j + k);
}

// Part 4: as fast as the card's own copy.

// A block copies pieces of 16 KiB, four vectors a thread.
__global__ void copy_best(float* out, const float* in, int rows, int cols) {
  constexpr int threads = 256, ways = 4, piece = threads * ways;
  const int n = rows * cols, n_vectors = n / 4;
  const auto* const from = reinterpret_cast<const float4*>(in);
  auto* const to = reinterpret_cast<float4*>(out);
  for (int begin = blockIdx.x * piece; begin < n_vectors; begin += gridDim.x * piece) {
    const int mine = begin + threadIdx.x;
    float4 v[ways];
#pragma unroll
    for (int w = 0; w < ways; w++)
      if (mine + w * threads < n_vectors) v[w] = from[mine + w * threads];
#pragma unroll
    for (int w = 0; w < ways; w++)
      if (mine + w * threads < n_vectors) to[mine + w * threads] = v[w];
  }
  // Less than a vector.
  if (const int last = 4 * n_vectors + threadIdx.x; blockIdx.x == gridDim.x - 1 && last < n)
    out[last] = in[last];
}

// A block of transpose_best has best_threads threads and a tile of best_tile x
// best_tile elements, the one that is blockIdx.x to the right and blockIdx.y
// down.
constexpr int best_tile = 64;
constexpr int best_threads = 256;

// The tile of a block. With a row of 65 words, eight lanes with four words each
// of four rows meet in no bank, nor do 32 lanes of one row or of one column.
struct BestTile {
  float word[best_tile][best_tile + 1];
};

// Vectors of 16 bytes, where all rows of both matrices begin at such.
__device__ void turn_vectors(BestTile& tile, float* out, const float* in, int rows, int cols,
                             int left, int top) {
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int i = warp % 2 * 32 + lane % 8 * 4, j = warp / 2 * 4 + lane / 8;
  constexpr int turns = 4, step = best_tile / turns;
  float4 v[turns];
#pragma unroll
  for (int k = 0; k < turns; k++)
    if (const int y = top + j + k * step; y < rows && left + i < cols)
      v[k] = *reinterpret_cast<const float4*>(in + y * cols + left + i);
#pragma unroll
  for (int k = 0; k < turns; k++)
    if (top + j + k * step < rows && left + i < cols) {
      float* const row = &tile.word[j + k * step][i];
      row[0] = v[k].x;
      row[1] = v[k].y;
      row[2] = v[k].z;
      row[3] = v[k].w;
    }
  __syncthreads();
#pragma unroll
  for (int k = 0; k < turns; k++)
    if (const int x = left + j + k * step; x < cols && top + i < rows) {
      const auto word = [&](int w) { return tile.word[i + w][j + k * step]; };
      *reinterpret_cast<float4*>(out + x * rows + top + i) =
          make_float4(word(0), word(1), word(2), word(3));
    }
}

// Single words, a row of 64 for two warps.
__device__ void turn_words(BestTile& tile, float* out, const float* in, int rows, int cols,
                           int left, int top) {
  const int i = threadIdx.x % best_tile, j = threadIdx.x / best_tile;
  constexpr int step = best_threads / best_tile;
#pragma unroll
  for (int k = 0; k < best_tile; k += step)
    if (top + j + k < rows && left + i < cols)
      tile.word[j + k][i] = in[(top + j + k) * cols + left + i];
  __syncthreads();
#pragma unroll
  for (int k = 0; k < best_tile; k += step)
    if (left + j + k < cols && top + i < rows)
      out[(left + j + k) * rows + top + i] = tile.word[i][j + k];
}

__global__ void transpose_best(float* out, const float* in, int rows,
                               int cols) {
  __shared__ BestTile tile;
  const int left = blockIdx.x * best_tile, top = blockIdx.y * best_tile;
  if (rows % 4 == 0 && cols % 4 == 0)
    turn_vectors(tile, out, in, rows, cols, left, top);
  else
    turn_words(tile, out, in, rows, cols, left, top);
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

// Every number of A and B that is loaded is used 32 times. There are two pairs
// of tiles: while one is multiplied, the next numbers come.
template <typename T>
__global__ void __launch_bounds__(1024) product_tiled(T* c, const T* a, const T* b, int N, int R,
                                                      int M) {
  __shared__ T tile_a[2][32][32], tile_b[2][32][32];
  const int i = threadIdx.x, j = threadIdx.y;
  const int x = blockIdx.x * 32 + i, y = blockIdx.y * 32 + j;
  const auto from_a = [=](int k) { return y < N && k + i < R ? a[y * R + k + i] : T(0); };
  const auto from_b = [=](int k) { return x < M && k + j < R ? b[(k + j) * M + x] : T(0); };
  T next_a = from_a(0), next_b = from_b(0), sum = 0;
  for (int k = 0, pair = 0; k < R; k += 32, pair ^= 1) {
    tile_a[pair][j][i] = next_a;
    tile_b[pair][j][i] = next_b;
    // All have stored this pair, so all are done with the other one.
    __syncthreads();
    next_a = from_a(k + 32);
    next_b = from_b(k + 32);
#pragma unroll
    for (int h = 0; h < 32; h++) sum += tile_a[pair][j][h] * tile_b[pair][h][i];
  }
  if (x < M && y < N) c[y * M + x] = sum;
}

// Numbers that are loaded from shared memory at once.
template <typename T, int n>
struct alignas(n * sizeof(T)) Pack {
  T of[n];
};

// The product of a block of 16 x 16 threads: a tile of C of 16 * each rows and
// columns. A thread has `each` rows, in packs that lie side by side in A's part,
// which is turned, and `each` columns, 16 apart, so that what 16 lanes load of
// B's part, or store of C, lies side by side.
template <typename T, int each>
class BlockProduct {
 public:
  static constexpr int threads = 256, dim = 16 * each;
  static constexpr int depth = sizeof(T) == 8 ? 8 : 16;
  static constexpr int wide = each * sizeof(T) < 16 ? each : 16 / sizeof(T);
  static constexpr int packs = each / wide;
  static constexpr int fetched = depth * dim / threads;  // By a thread, of each part.

  struct alignas(16) Stage {
    T a[depth][dim + wide];
    T b[depth][dim];
  };

  __device__ BlockProduct(T* c, const T* a, const T* b, int N, int R, int M)
      : c(c), a(a), b(b), N(N), R(R), M(M) {}

  __device__ __forceinline__ void run(Stage (&stage)[2], int t) {
    const int left = blockIdx.x * dim, top = blockIdx.y * dim;
    const int i = t % 16, j = t / 16;
    fetch(left, top, 0, t);
    put(stage[0], t);
    __syncthreads();
    for (int first = 0, now = 0; first < R; first += depth, now ^= 1) {
      const bool more = first + depth < R;
      if (more) fetch(left, top, first + depth, t);
      multiply(stage[now], i, j);
      if (more) put(stage[now ^ 1], t);
      __syncthreads();
    }
#pragma unroll
    for (int p = 0; p < each; p++) {
      const int y = top + row(j, p);
#pragma unroll
      for (int q = 0; q < each; q++) {
        const int x = left + i + 16 * q;
        if (y < N && x < M) c[y * M + x] = sum[p][q];
      }
    }
  }

 private:
  // The p-th row of a thread: packs are 16 packs apart.
  static __device__ constexpr int row(int j, int p) {
    return p / wide * (16 * wide) + j * wide + p % wide;
  }

  // From memory to registers: `depth` lanes a row of A, dim a row of B.
  __device__ __forceinline__ void fetch(int left, int top, int first, int t) {
    const int ka = first + t % depth, kb = first + t / dim, x = left + t % dim;
#pragma unroll
    for (int f = 0; f < fetched; f++) {
      const int y = top + t / depth + f * (threads / depth), k = kb + f * (threads / dim);
      next_a[f] = y < N && ka < R ? a[y * R + ka] : T(0);
      next_b[f] = x < M && k < R ? b[k * M + x] : T(0);
    }
  }

  // From registers to shared memory.
  __device__ __forceinline__ void put(Stage& stage, int t) const {
#pragma unroll
    for (int f = 0; f < fetched; f++) {
      stage.a[t % depth][t / depth + f * (threads / depth)] = next_a[f];
      stage.b[t / dim + f * (threads / dim)][t % dim] = next_b[f];
    }
  }

  __device__ __forceinline__ void multiply(const Stage& stage, int i, int j) {
#pragma unroll
    for (int k = 0; k < depth; k++) {
      Pack<T, wide> of_a[packs];
      T of_b[each];
#pragma unroll
      for (int p = 0; p < packs; p++)
        of_a[p] = *reinterpret_cast<const Pack<T, wide>*>(&stage.a[k][row(j, p * wide)]);
#pragma unroll
      for (int q = 0; q < each; q++) of_b[q] = stage.b[k][i + 16 * q];
#pragma unroll
      for (int p = 0; p < each; p++)
#pragma unroll
        for (int q = 0; q < each; q++) sum[p][q] += of_a[p / wide].of[p % wide] * of_b[q];
    }
  }

  T* const c;
  const T *const a, *const b;
  const int N, R, M;
  T next_a[fetched], next_b[fetched];
  T sum[each][each] = {};
};

template <typename T>
__global__ void __launch_bounds__(256) product_registers(T* c, const T* a, const T* b, int N,
                                                         int R, int M) {
  using Product = BlockProduct<T, 4>;
  __shared__ typename Product::Stage stage[2];
  Product(c, a, b, N, R, M).run(stage, threadIdx.y * 16 + threadIdx.x);
}

template <typename T, int each>
__global__ void __launch_bounds__(256) product_best(T* c, const T* a, const T* b, int N, int R,
                                                    int M) {
  using Product = BlockProduct<T, each>;
  __shared__ typename Product::Stage stage[2];
  Product(c, a, b, N, R, M).run(stage, threadIdx.x);
}
