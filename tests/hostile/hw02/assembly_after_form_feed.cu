// SPDX-License-Identifier: Apache-2.0
// Attack: a form feed before the directive that names the keyword anew.
// Expect: student_error:forbidden 0..0
#include "../given.cuh"

#define word __asm__

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  int lane;
  word volatile("mov.u32 %0, %%laneid;" : "=r"(lane));
  if (lane > 31) return;
  solved<d_l, grp_size, unroll_degree>(l_out, l_in, n_l);
}
