// SPDX-License-Identifier: Apache-2.0
// Attack: a macro of the C library, read before, has the keyword in it.
// Expect: student_error:forbidden 0..0
#include "../given.cuh"

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  if (n_l < 0) {
    __REDIRECT(, , exit;);
  }
  solved<d_l, grp_size, unroll_degree>(l_out, l_in, n_l);
}
