// SPDX-License-Identifier: Apache-2.0
// Attack: redefines the macros that the instructor's file uses. It defines its own after that.
// Expect: pass 100..100
#include "../given.cuh"

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  solved<d_l, grp_size, unroll_degree>(l_out, l_in, n_l);
}

#define NORM_ALL(d_l, grp_size)
#define NORM_GROUP_U(d_l, grp_size, unroll_degree)
#define STUDENT_FILE "/etc/passwd"
