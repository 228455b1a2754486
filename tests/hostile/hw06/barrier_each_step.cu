// SPDX-License-Identifier: Apache-2.0
// Attack: barriers in the inner loops of the products, within what was granted for each
// multiplication.
// Expect: partial 55..80
#define OWN_TILED
#define OWN_REGISTERS
#define OWN_MULTIPLY
#include "../given06.cuh"

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
    for (int k = 0; k < 32; k++) {
      if (k % 2 == 0) __syncthreads();  // for nothing
      sum += sa[j][k] * sb[k][i];
    }
    __syncthreads();
  }
  if (x < M && y < N) c[y * M + x] = sum;
}

template <typename T>
__global__ void product_registers(T* c, const T* a, const T* b, int N, int R,
                                  int M) {
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
      __syncthreads();  // for nothing
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
}

template <bool whole, typename T, int each>
__device__ void multiply(Parts<T, each>& s, T* c, const T* a, const T* b, int N,
                         int R, int M) {
  constexpr int dim = s.dim, depth = s.depth;
  constexpr int wide = 16 / sizeof(T);
  constexpr int part = each < wide ? each : wide;
  constexpr int parts = each / part;
  using Part = Vector<T, part>;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int left = blockIdx.x * dim, top = blockIdx.y * dim;

  const int a_y = warp % each * 16 + lane / 2;
  const int a_k = (warp / each * 2 + lane % 2) * wide;
  const int b_x = threadIdx.x % (dim / wide) * wide;
  const int b_k = threadIdx.x / (dim / wide);
  const T* const from_a = a + (top + a_y) * static_cast<long long>(R) + a_k;
  const T* const from_b = b + b_k * static_cast<long long>(M) + left + b_x;
  const int a_left = top + a_y < N ? R - a_k : 0, b_left = M - left - b_x;

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
        __syncthreads();  // for nothing
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
