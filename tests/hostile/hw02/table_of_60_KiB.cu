// SPDX-License-Identifier: Apache-2.0
// Attack: a variable of 60 KiB, where the handout allows 16 KiB.
// Expect: student_error:forbidden 0..0
#include "../given.cuh"

__device__ elt_t memo[15 * 1024];

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  solved<d_l, grp_size, unroll_degree>(l_out, l_in, n_l);
  if (threadIdx.x == 0) memo[blockIdx.x] = static_cast<elt_t>(n_l);
}
