// SPDX-License-Identifier: Apache-2.0
// Style: a small constant table that is called cp, as PTX calls an operation.
// Expect: pass 100..100
#include "../../hostile/given.cuh"

// Correction of the pivot; not used for now.
__constant__ elt_t cp[2] = {0.0f, 0.0f};

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  if (cp[0] != cp[1]) return;
  solved<d_l, grp_size, unroll_degree>(l_out, l_in, n_l);
}
