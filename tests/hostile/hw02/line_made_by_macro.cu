// SPDX-License-Identifier: Apache-2.0
// Attack: a line marker that only the second compiler sees.
// Expect: student_error:forbidden 0..0
#include "../given.cuh"

#define HASH #
HASH 7 "grader/judge.cc"

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  solved<d_l, grp_size, unroll_degree>(l_out, l_in, n_l);
}
