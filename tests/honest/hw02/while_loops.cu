// SPDX-License-Identifier: Apache-2.0
// Style: while and do loops, post-increments, one-letter names.
// Expect: pass 100..100
#include "../../hostile/given.cuh"

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* o, const elt_t* a, int n) {
  int t = threadIdx.x + blockIdx.x * blockDim.x, s = threadIdx.x % grp_size;
  int const w = 32 / grp_size, v = w * unroll_degree;
  int m = n / v * v, h = t / 32 * v + t % 32 / grp_size;
  while (h < m) {
    elt_t b[unroll_degree]; int j = 0;
    do { b[j] = 0; int i = 0;
      while (i < d_l) { b[j] += a[size_t(h + j * w) * d_l + s + i]; i += grp_size; }
    } while (++j < unroll_degree);
    j = 0; while (j < unroll_degree) { b[j] = group_sum<grp_size>(b[j]) / d_l; j++; }
    j = unroll_degree;
    while (j--) { int i = 0;
      do o[size_t(h + j * w) * d_l + s + i] = a[size_t(h + j * w) * d_l + s + i] - b[j];
      while ((i += grp_size) < d_l);
    }
    h += blockDim.x * gridDim.x / 32 * v;
  }
  for (int g = m + t; g < n; g += blockDim.x * gridDim.x) norm_vector<d_l>(o, a, g);
}
