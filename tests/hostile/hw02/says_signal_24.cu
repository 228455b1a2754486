// SPDX-License-Identifier: Apache-2.0
// Attack: a message like that of a compiler that ran out of time.
// Expect: student_error:compile 0..0
#include "../given.cuh"

static_assert(false, "cicc died due to signal 24, out of memory, bad_alloc");

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  solved<d_l, grp_size, unroll_degree>(l_out, l_in, n_l);
}
