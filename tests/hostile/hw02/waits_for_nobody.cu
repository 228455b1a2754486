// SPDX-License-Identifier: Apache-2.0
// Attack: waits for a flag that no block sets.
// Expect: fail:too_slow 0..0
// Expect gpu: student_error:timeout 0..0
#include "../given.cuh"

__device__ volatile int flag;

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  while (flag == 0) {}
  solved<d_l, grp_size, unroll_degree>(l_out, l_in, n_l);
}
