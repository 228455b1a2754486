// SPDX-License-Identifier: Apache-2.0
// Style: product_registers has four columns side by side, which are stored one by one.
// Expect: pass 100..100
#define OWN_REGISTERS
#include "../../hostile/given06.cuh"

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
