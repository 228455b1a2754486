// SPDX-License-Identifier: Apache-2.0
// Attack: an attribute that fixes the block's size to one that the homework does not launch.
// Expect: fail|student_error 0..0
#include "../given.cuh"

template <int d_l, int grp_size, int unroll_degree>
__global__ void __block_size__((96, 1, 1))
    norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  solved<d_l, grp_size, unroll_degree>(l_out, l_in, n_l);
}
