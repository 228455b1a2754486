// SPDX-License-Identifier: Apache-2.0
// Attack: degree 1 does its work three times over, so that degree 4, which is no better than the
// solution's degree 1, saves the instructions that unrolling is to save.
// Expect: partial 25..50
#include "../given.cuh"

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  for (int i = 0; i < (unroll_degree == 1 ? 3 : 1); i++)
    solved<d_l, grp_size, 1>(l_out, l_in, n_l + (i > 5));
}
