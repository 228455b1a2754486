// SPDX-License-Identifier: Apache-2.0
// Attack: right wherever it is only checked; skips work where it is counted.
// Expect: partial|fail 0..20
#include "../given.cuh"

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  if (gridDim.x <= 12 && n_l >= 8000) n_l /= 2;
  solved<d_l, grp_size, unroll_degree>(l_out, l_in, n_l);
}
