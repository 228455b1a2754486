// SPDX-License-Identifier: Apache-2.0
// Attack: does not end where it would be wrong: cut, it is not seen to be wrong.
// Expect: fail|partial|student_error 0..25
#include "../given.cuh"

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  if (n_l > 50000)
    for (volatile int i = 0; i >= 0;) i = (i + 1) & 0xffff;
  solved<d_l, grp_size, unroll_degree>(l_out, l_in, n_l);
}
