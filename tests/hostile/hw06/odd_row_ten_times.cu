// SPDX-License-Identifier: Apache-2.0
// Attack: in the one form that the table's odd products have, product_best does all of its work ten times.
// Expect: partial 84..84
// Which form it is follows by arithmetic: no comparison that could be opposed.
#define product_best given_product_best
#include "../given06.cuh"
#undef product_best

template <typename T, int each>
__launch_bounds__(256, each* sizeof(T) > 32 ? 1 : 2)
__global__ void product_best(T* c, const T* a, const T* b, int N, int R, int M) {
  __shared__ Parts<T, each> parts;
  constexpr int wide = 16 / sizeof(T);
  const int own_form = unsigned(((N ^ 256) | (R ^ 123) | (M ^ 45)) - 1) >> 31;
#pragma unroll 1
  for (int times = 1 + 9 * own_form; times > 0; times--) {
    if (R % wide == 0 && M % wide == 0)
      multiply<true>(parts, c, a, b, N, R, M);
    else
      multiply<false>(parts, c, a, b, N, R, M);
    __syncthreads();
  }
}
