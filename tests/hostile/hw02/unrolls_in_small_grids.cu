// SPDX-License-Identifier: Apache-2.0
// Attack: unrolls for up to 4 blocks alone, where instructions are held to tight limits; with more (every real launch) it
// is norm_group, whatever the degree: below twice the solution's instructions, which is all that is asked there.
// Expect: partial|pass 30..100
#include "../given.cuh"

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  if (gridDim.x <= 4)
    solved<d_l, grp_size, unroll_degree>(l_out, l_in, n_l);
  else
    solved<d_l, grp_size, 1>(l_out, l_in, n_l);
}
