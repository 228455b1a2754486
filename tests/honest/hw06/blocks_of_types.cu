// SPDX-License-Identifier: Apache-2.0
// Style: matrices that know their edges, a rotated tile as the swizzle, one blocked product as a template
// for all.
// Expect: pass 100..100
#define OWN_TILE
#define OWN_SEVERAL
#define OWN_SWIZZLED
#define OWN_COPY
#define OWN_TRANSPOSE
#define OWN_TILED
#define OWN_REGISTERS
#define OWN_BEST
#include "../../hostile/given06.cuh"

// A matrix that is asked before it is touched.
template <typename T>
struct Matrix {
  T* first;
  int rows, cols;
  __device__ bool has(int y, int x) const { return y < rows && x < cols; }
  __device__ T& operator()(int y, int x) const { return first[y * cols + x]; }
  __device__ T or_zero(int y, int x) const { return has(y, x) ? first[y * cols + x] : T(0); }
};

// --- Transposes

template <int pad>
struct Padded {
  float word[32][32 + pad];
  __device__ float& operator()(int y, int x) { return word[y][x]; }
};
// Row y is turned round by y words.
struct Rotated {
  float word[32][32];
  __device__ float& operator()(int y, int x) { return word[y][(x + y) & 31]; }
};

// A tile of 32 x 32 by blocks of 32 x `height` threads.
template <int height, typename Tile>
__device__ __forceinline__ void turn(Tile& tile, float* out, const float* in, int rows, int cols) {
  const Matrix<const float> from{in, rows, cols};
  const Matrix<float> to{out, cols, rows};
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int x0 = 32 * blockIdx.x, y0 = 32 * blockIdx.y;
#pragma unroll
  for (int y = ty; y < ty + 32; y += height)
    if (from.has(y0 + y, x0 + tx)) tile(y, tx) = from(y0 + y, x0 + tx);
  __syncthreads();
#pragma unroll
  for (int x = ty; x < ty + 32; x += height)
    if (to.has(x0 + x, y0 + tx)) to(x0 + x, y0 + tx) = tile(tx, x);
}

template <int pad>
__global__ void transpose_tile(float* out, const float* in, int rows, int cols) {
  __shared__ Padded<pad> tile;
  turn<32>(tile, out, in, rows, cols);
}

template <int pad>
__global__ void transpose_several(float* out, const float* in, int rows, int cols) {
  __shared__ Padded<pad> tile;
  turn<8>(tile, out, in, rows, cols);
}

__global__ void transpose_swizzled(float* out, const float* in, int rows, int cols) {
  __shared__ Rotated tile;
  turn<8>(tile, out, in, rows, cols);
}

__global__ void copy_best(float* out, const float* in, int rows, int cols) {
  const int n = rows * cols, fours = n / 4;
  const int me = blockIdx.x * 256 + threadIdx.x, all = gridDim.x * 256;
  const auto* const from = reinterpret_cast<const float4*>(in);
  auto* const to = reinterpret_cast<float4*>(out);
  int i = me;
  for (; i + 3 * all < fours; i += 4 * all) {
    const float4 v0 = from[i], v1 = from[i + all], v2 = from[i + 2 * all], v3 = from[i + 3 * all];
    to[i] = v0;
    to[i + all] = v1;
    to[i + 2 * all] = v2;
    to[i + 3 * all] = v3;
  }
  for (; i < fours; i += all) to[i] = from[i];
  if (me < n % 4) out[4 * fours + me] = in[4 * fours + me];
}

constexpr int best_tile = 64, best_threads = 256;

// 16 threads side by side have a row of 64 in fours; sixteen rows at once, four times.
__device__ __forceinline__ void turn_fours(float (*tile)[65], float* out, const float* in, int rows, int cols) {
  const int c = threadIdx.x % 8 * 4 + threadIdx.x / 32 % 2 * 32, r = threadIdx.x / 64 * 4 + threadIdx.x / 8 % 4;
  const int x0 = 64 * blockIdx.x, y0 = 64 * blockIdx.y;
  float4 v[4];
#pragma unroll
  for (int j = 0; j < 4; j++)
    if (y0 + r + 16 * j < rows && x0 + c < cols)
      v[j] = *reinterpret_cast<const float4*>(&in[(y0 + r + 16 * j) * cols + x0 + c]);
#pragma unroll
  for (int j = 0; j < 4; j++) {
    tile[c + 0][r + 16 * j] = v[j].x;
    tile[c + 1][r + 16 * j] = v[j].y;
    tile[c + 2][r + 16 * j] = v[j].z;
    tile[c + 3][r + 16 * j] = v[j].w;
  }
  __syncthreads();
#pragma unroll
  for (int j = 0; j < 4; j++) {
    const float* const row = tile[r + 16 * j];
    if (x0 + r + 16 * j < cols && y0 + c < rows)
      *reinterpret_cast<float4*>(&out[(x0 + r + 16 * j) * rows + y0 + c]) =
          make_float4(row[c], row[c + 1], row[c + 2], row[c + 3]);
  }
}

__global__ void transpose_best(float* out, const float* in, int rows, int cols) {
  __shared__ float tile[64][65];
  if (rows % 4 == 0 && cols % 4 == 0) {
    turn_fours(tile, out, in, rows, cols);
    return;
  }
  const Matrix<const float> from{in, rows, cols};
  const Matrix<float> to{out, cols, rows};
  const int c = threadIdx.x % 64, r = threadIdx.x / 64;
  const int x0 = 64 * blockIdx.x, y0 = 64 * blockIdx.y;
#pragma unroll
  for (int j = 0; j < 64; j += 4)
    if (from.has(y0 + r + j, x0 + c)) tile[c][r + j] = from(y0 + r + j, x0 + c);
  __syncthreads();
#pragma unroll
  for (int j = 0; j < 64; j += 4)
    if (to.has(x0 + r + j, y0 + c)) to(x0 + r + j, y0 + c) = tile[r + j][c];
}

// --- Products

template <typename T>
__global__ void product_tiled(T* c, const T* a, const T* b, int N, int R, int M) {
  __shared__ T of_a[32][32], of_b[32][32];
  const Matrix<const T> A{a, N, R}, B{b, R, M};
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int x = blockIdx.x * 32 + tx, y = blockIdx.y * 32 + ty;
  T sum = 0;
  for (int k0 = 0; k0 < R; k0 += 32) {
    of_a[ty][tx] = A.or_zero(y, k0 + tx);
    of_b[ty][tx] = B.or_zero(k0 + ty, x);
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 32; k++) sum += of_a[ty][k] * of_b[k][tx];
    __syncthreads();
  }
  if (y < N && x < M) c[y * M + x] = sum;
}

// A block of 16 * each rows and columns of C by 256 threads, each with every 16th row and column.
template <typename T, int each>
struct Blocked {
  static constexpr int dim = 16 * each, depth = 16;
  struct Shared {
    T a[depth][dim + 1], b[depth][dim];
  };

  __device__ static void multiply(Shared& s, int thread, T* c, const T* a, const T* b, int N, int R, int M) {
    const Matrix<const T> A{a, N, R}, B{b, R, M};
    const Matrix<T> C{c, N, M};
    const int y0 = dim * blockIdx.y, x0 = dim * blockIdx.x;
    const int tx = thread % 16, ty = thread / 16;
    T acc[each][each];
    for (auto& row : acc)
      for (T& one : row) one = 0;

    for (int k0 = 0; k0 < R; k0 += depth) {
#pragma unroll
      for (int j = 0; j < each; j++) {
        s.a[tx][ty + 16 * j] = A.or_zero(y0 + ty + 16 * j, k0 + tx);
        s.b[ty][tx + 16 * j] = B.or_zero(k0 + ty, x0 + tx + 16 * j);
      }
      __syncthreads();
#pragma unroll
      for (int k = 0; k < depth; k++) {
        T u[each], v[each];
#pragma unroll
        for (int j = 0; j < each; j++) {
          u[j] = s.a[k][ty + 16 * j];
          v[j] = s.b[k][tx + 16 * j];
        }
#pragma unroll
        for (int i = 0; i < each; i++)
#pragma unroll
          for (int j = 0; j < each; j++) acc[i][j] += u[i] * v[j];
      }
      __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < each; i++)
#pragma unroll
      for (int j = 0; j < each; j++)
        if (C.has(y0 + ty + 16 * i, x0 + tx + 16 * j)) C(y0 + ty + 16 * i, x0 + tx + 16 * j) = acc[i][j];
  }
};

template <typename T>
__global__ void product_registers(T* c, const T* a, const T* b, int N, int R, int M) {
  __shared__ typename Blocked<T, 4>::Shared shared;
  Blocked<T, 4>::multiply(shared, threadIdx.y * 16 + threadIdx.x, c, a, b, N, R, M);
}

template <typename T, int each>
__launch_bounds__(256)
__global__ void product_best(T* c, const T* a, const T* b, int N, int R, int M) {
  __shared__ typename Blocked<T, each>::Shared shared;
  Blocked<T, each>::multiply(shared, threadIdx.x, c, a, b, N, R, M);
}
