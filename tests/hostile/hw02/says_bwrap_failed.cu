// SPDX-License-Identifier: Apache-2.0
// Attack: a message like the cage's own, to be the grader's fault.
// Expect: student_error:compile 0..0
#include "../given.cuh"

#pragma GCC error "bwrap: cannot make a namespace"

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  solved<d_l, grp_size, unroll_degree>(l_out, l_in, n_l);
}
