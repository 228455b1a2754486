// SPDX-License-Identifier: Apache-2.0
// Style: a tile of vectors with exclusive or; product_tiled hands A round by shuffles.
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

// Blocks as in copy_tile.
template <int pad>
__global__ void transpose_tile(float* out, const float* in, int rows,
                               int cols) {
  constexpr int pitch = 32 + pad;
  __shared__ float tile[32 * pitch];
  const int lane = threadIdx.x, warp = threadIdx.y;

  int x = blockIdx.x * 32 + lane, y = blockIdx.y * 32 + warp;
  if (x < cols && y < rows) tile[warp * pitch + lane] = in[y * cols + x];
  __syncthreads();

  // The other corner: this thread's column and row of the tile change places.
  x += warp - lane;
  y += lane - warp;
  if (x < cols && y < rows) out[x * rows + y] = tile[lane * pitch + warp];
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

// transpose_tile with the blocks of copy_several: all four loads are on their
// way before the first is stored to the tile.
template <int pad>
__global__ void transpose_several(float* out, const float* in, int rows,
                                  int cols) {
  constexpr int pitch = 32 + pad, several = 4;
  __shared__ float tile[32 * pitch];
  const int lane = threadIdx.x, warp = threadIdx.y;
  const int left = blockIdx.x * 32, top = blockIdx.y * 32;
  float v[several];
#pragma unroll
  for (int m = 0; m < several; m++)
    if (const int y = top + warp + 8 * m; left + lane < cols && y < rows)
      v[m] = in[y * cols + left + lane];
#pragma unroll
  for (int m = 0; m < several; m++)
    if (left + lane < cols && top + warp + 8 * m < rows)
      tile[(warp + 8 * m) * pitch + lane] = v[m];
  __syncthreads();
#pragma unroll
  for (int m = 0; m < several; m++)
    if (const int x = left + warp + 8 * m; x < cols && top + lane < rows)
      out[x * rows + top + lane] = tile[lane * pitch + warp + 8 * m];
}

// Without padding: row y of the tile is rotated to the left by y.
__global__ void transpose_swizzled(float* out, const float* in, int rows,
                                   int cols) {
  __shared__ float tile[32][32];
  const unsigned lane = threadIdx.x, warp = threadIdx.y;
  const int left = blockIdx.x * 32, top = blockIdx.y * 32;
#pragma unroll
  for (unsigned m = 0; m < 32; m += 8) {
    const int x = left + lane, y = top + warp + m;
    if (x < cols && y < rows) tile[warp + m][(lane - warp - m) % 32] = in[y * cols + x];
  }
  __syncthreads();
#pragma unroll
  for (unsigned m = 0; m < 32; m += 8) {
    const int x = left + warp + m, y = top + lane;
    if (x < cols && y < rows) out[x * rows + y] = tile[lane][(warp + m - lane) % 32];
  }
}

// Part 4: as fast as the card's own copy.

// A thread takes vectors that lie a whole turn of the grid apart, four and four.
__global__ void copy_best(float* out, const float* in, int rows, int cols) {
  const int n = rows * cols, n4 = n >> 2;
  const int step = gridDim.x * blockDim.x;
  const float4* const src = reinterpret_cast<const float4*>(in);
  float4* const dst = reinterpret_cast<float4*>(out);
  const int first = blockIdx.x * blockDim.x + threadIdx.x;
  if (first < (n & 3)) out[(n4 << 2) + first] = in[(n4 << 2) + first];
  int i = first;
  for (; i < n4 - 3 * step; i += step << 2) {
    float4 v[4];
#pragma unroll
    for (int m = 0; m < 4; m++) v[m] = src[i + m * step];
#pragma unroll
    for (int m = 0; m < 4; m++) dst[i + m * step] = v[m];
  }
  for (; i < n4; i += step) dst[i] = src[i];
}

// A block of transpose_best has best_threads threads and a tile of best_tile x
// best_tile elements, the one that is blockIdx.x to the right and blockIdx.y
// down.
constexpr int best_tile = 64, best_threads = best_tile * best_tile / 16;

// Where rows and columns are multiples of 4, a thread loads a block of 4 x 4,
// four vectors of 16 bytes, and stores its four columns to the tile, which has
// a row of 16 vectors for each of its columns. Vector v of column x lies at
// v ^ x / 4: eight lanes that store, or load, together meet in no bank.
// Elsewhere it is as in transpose_swizzled, with words and 64 of them.
__global__ void transpose_best(float* out, const float* in, int rows,
                               int cols) {
  __shared__ alignas(16) float tile[best_tile * best_tile];
  const int left = blockIdx.x * best_tile, top = blockIdx.y * best_tile;
  if (((rows | cols) & 3) == 0) {
    float4* const vectors = reinterpret_cast<float4*>(tile);
    const int p = threadIdx.x % 16, q = threadIdx.x / 16;
    if (left + 4 * p < cols && top + 4 * q < rows) {
      const float* const from = in + (top + 4 * q) * cols + left + 4 * p;
      const float4 a = *reinterpret_cast<const float4*>(from);
      const float4 b = *reinterpret_cast<const float4*>(from + cols);
      const float4 c = *reinterpret_cast<const float4*>(from + 2 * cols);
      const float4 d = *reinterpret_cast<const float4*>(from + 3 * cols);
      float4* const to = vectors + 4 * p * 16 + (q ^ p);
      to[0] = make_float4(a.x, b.x, c.x, d.x);
      to[16] = make_float4(a.y, b.y, c.y, d.y);
      to[32] = make_float4(a.z, b.z, c.z, d.z);
      to[48] = make_float4(a.w, b.w, c.w, d.w);
    }
    __syncthreads();
    // Now p is a vector of a row of `out`, and rows are q, q + 16 ...
    if (top + 4 * p < rows) {
#pragma unroll
      for (int x = 0; x < best_tile; x += 16)
        if (left + q + x < cols)
          *reinterpret_cast<float4*>(out + (left + q + x) * rows + top + 4 * p) =
              vectors[(q + x) * 16 + (p ^ ((q + x) / 4))];
    }
    return;
  }
  const int i = threadIdx.x % best_tile, j = threadIdx.x / best_tile;
  constexpr int step = best_threads / best_tile;
  if (left + i < cols) {
#pragma unroll
    for (int y = 0; y < best_tile; y += step)
      if (top + j + y < rows)
        tile[i * best_tile + ((j + y) ^ (i % 32))] = in[(top + j + y) * cols + left + i];
  }
  __syncthreads();
  if (top + i < rows) {
#pragma unroll
    for (int x = 0; x < best_tile; x += step)
      if (left + j + x < cols)
        out[(left + j + x) * rows + top + i] = tile[(j + x) * best_tile + (i ^ ((j + x) % 32))];
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

// A warp has a row of C, so what it needs of A is one row, too: each lane has
// one number of it, which a shuffle gives to all when its turn has come. B's
// tile is in shared memory, as all 32 warps need it.
template <typename T>
__global__ void __launch_bounds__(1024) product_tiled(T* c, const T* a, const T* b, int N, int R,
                                                      int M) {
  __shared__ T of_b[32][32];
  const int lane = threadIdx.x, warp = threadIdx.y;
  const int x = blockIdx.x * 32 + lane, y = blockIdx.y * 32 + warp;
  T sum = 0;
  for (int first = 0; first < R; first += 32) {
    T of_a = 0, from_b = 0;
    if (y < N && first + lane < R) of_a = a[y * R + first + lane];
    if (x < M && first + warp < R) from_b = b[(first + warp) * M + x];
    of_b[warp][lane] = from_b;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 32; k++) sum += __shfl_sync(0xffffffffu, of_a, k) * of_b[k][lane];
    __syncthreads();
  }
  if (x < M && y < N) c[y * M + x] = sum;
}

// Blocks of (16, 16), 4 x 4 numbers of C a thread.
template <typename T>
__global__ void product_registers(T* c, const T* a, const T* b, int N, int R,
                                  int M) {
  constexpr int deep = 16, dim = 64;
  __shared__ T of_a[dim][deep + 1], of_b[deep][dim];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int left = blockIdx.x * dim, top = blockIdx.y * dim;
  T sum[4][4] = {};
  for (int first = 0; first < R; first += deep) {
    const bool a_ends = first + tx >= R, b_ends = first + ty >= R;
#pragma unroll
    for (int m = 0; m < dim; m += 16) {
      T va = 0, vb = 0;
      if (!a_ends && top + ty + m < N) va = a[(top + ty + m) * R + first + tx];
      if (!b_ends && left + tx + m < M) vb = b[(first + ty) * M + left + tx + m];
      of_a[ty + m][tx] = va;
      of_b[ty][tx + m] = vb;
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < deep; k++) {
      const T column[4] = {of_b[k][tx], of_b[k][tx + 16], of_b[k][tx + 32], of_b[k][tx + 48]};
#pragma unroll
      for (int m = 0; m < 4; m++) {
        const T v = of_a[ty + 16 * m][k];
#pragma unroll
        for (int l = 0; l < 4; l++) sum[m][l] += v * column[l];
      }
    }
    __syncthreads();
  }
#pragma unroll
  for (int m = 0; m < 4; m++)
#pragma unroll
    for (int l = 0; l < 4; l++) {
      const int y = top + ty + 16 * m, x = left + tx + 16 * l;
      if (y < N && x < M) c[y * M + x] = sum[m][l];
    }
}

// Four warps are below each other and two side by side. Of a warp's tile its
// lanes have every fourth row and every eighth column: what they load of A's
// part are four words side by side, of B's eight, and what they store are rows
// of eight.
template <typename T, int each>
__global__ void __launch_bounds__(256) product_best(T* c, const T* a, const T* b, int N, int R,
                                                    int M) {
  constexpr int deep = 16, dim = 16 * each;
  __shared__ T of_a[deep][dim + 2], of_b[deep][dim];
  const int t = threadIdx.x, lane = t % 32, warp = t / 32;
  const int left = blockIdx.x * dim, top = blockIdx.y * dim;
  const int my_y = warp / 2 * (4 * each) + lane / 8, my_x = warp % 2 * (8 * each) + lane % 8;
  const int k_of = t % 16, m_of = t / 16;  // What this thread brings.
  T sum[each][each] = {};

  for (int first = 0; first < R; first += deep) {
#pragma unroll
    for (int m = 0; m < dim; m += 16) {
      const int ka = first + k_of, ya = top + m_of + m;
      of_a[k_of][m_of + m] = ka < R && ya < N ? a[ya * R + ka] : T(0);
      const int kb = first + m_of, xb = left + k_of + m;
      of_b[m_of][k_of + m] = kb < R && xb < M ? b[kb * M + xb] : T(0);
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < deep; k++) {
      T column[each];
#pragma unroll
      for (int l = 0; l < each; l++) column[l] = of_b[k][my_x + 8 * l];
#pragma unroll
      for (int m = 0; m < each; m++) {
        const T v = of_a[k][my_y + 4 * m];
#pragma unroll
        for (int l = 0; l < each; l++) sum[m][l] += v * column[l];
      }
    }
    __syncthreads();
  }

#pragma unroll
  for (int m = 0; m < each; m++)
#pragma unroll
    for (int l = 0; l < each; l++) {
      const int y = top + my_y + 4 * m, x = left + my_x + 8 * l;
      if (y < N && x < M) c[y * M + x] = sum[m][l];
    }
}
