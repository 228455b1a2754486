// SPDX-License-Identifier: Apache-2.0
// Attack: macros make a directive that gives the keyword back.
// Expect: student_error:forbidden 0..0
#include "../given.cuh"

#define HASH #
HASH undef asm

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  int lane;
  asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane));
  if (lane > 31) return;
  solved<d_l, grp_size, unroll_degree>(l_out, l_in, n_l);
}
