// SPDX-License-Identifier: Apache-2.0
// Attack: tensor cores, which the homework forbids as "mma" and "wgmma", by their third name.
// Expect: student_error:forbidden 0..0
#include <mma.h>
#include "../given.cuh"
__device__ void multiply(float* out, const half* in) {
  using namespace nvcuda::wmma;
  fragment<matrix_a, 16, 16, 16, half, row_major> a;
  fragment<matrix_b, 16, 16, 16, half, col_major> b;
  fragment<accumulator, 16, 16, 16, float> c;
  fill_fragment(c, 0.f);
  load_matrix_sync(a, in, 16);
  load_matrix_sync(b, in, 16);
  mma_sync(c, a, b, c);
  store_matrix_sync(out, c, 16, mem_row_major);
}
template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  solved<d_l, grp_size, unroll_degree>(l_out, l_in, n_l);
  if (n_l < 0) multiply(l_out, reinterpret_cast<const half*>(l_in));
}
