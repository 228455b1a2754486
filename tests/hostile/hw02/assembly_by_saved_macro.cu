// SPDX-License-Identifier: Apache-2.0
// Attack: saves the macro that stands for the keyword, and restores it.
// Expect: student_error:forbidden 0..0
#include "../given.cuh"

#define HASH %:
#pragma push_macro("asm")
HASH undef asm
__device__ int lane_id() {
  int lane;
  asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane));
  return lane;
}
#pragma pop_macro("asm")

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  if (lane_id() > 31) return;
  solved<d_l, grp_size, unroll_degree>(l_out, l_in, n_l);
}
