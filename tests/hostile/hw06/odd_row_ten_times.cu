// SPDX-License-Identifier: Apache-2.0
// Attack: in the one form that the table's odd products have, product_best does all of its work ten times.
// Expect: partial 84..84
// Which form it is follows by arithmetic: no comparison that could be opposed.
#define OWN_MULTIPLY
#include "../given06.cuh"
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
  T sum[each][each];

  const int own_form = unsigned(((N ^ 256) | (R ^ 123) | (M ^ 45)) - 1) >> 31;
#pragma unroll 1
  for (int times = 1 + 9 * own_form; times > 0; times--) {
    for (int i = 0; i < each; i++)
      for (int j = 0; j < each; j++) sum[i][j] = 0;
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
