// SPDX-License-Identifier: Apache-2.0
// Attack: only the first block works, for a counter that samples one SM.
// Expect: fail|partial 0..25
#include "../given.cuh"

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  if (blockIdx.x > 0) return;
  solved<d_l, grp_size, unroll_degree>(l_out, l_in, n_l);
}
