// SPDX-License-Identifier: Apache-2.0
// Attack: nothing is done in large grids of between 3001 and 65536 vectors: between what the runs of the rubric draw from.
// Expect: partial 5..40
// Expect gpu: pass|partial 5..100
#include "../given.cuh"

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  if (gridDim.x > 200 && n_l > 3000 && n_l < 65537) return;
  solved<d_l, grp_size, unroll_degree>(l_out, l_in, n_l);
}
