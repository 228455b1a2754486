// SPDX-License-Identifier: Apache-2.0
// Attack: indices of vectors in sixteen bits: right for the sizes that are counted.
// Expect: fail|partial|student_error 0..27
#include "../given.cuh"

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  solved<d_l, grp_size, unroll_degree>(l_out, l_in, n_l & 0xffff);
}
