// SPDX-License-Identifier: Apache-2.0
// Attack: the last vector is left out where there is a whole number of 4096, by arithmetic and not by a branch.
// Expect: partial|fail 0..40
// Expect gpu: pass|partial|fail 0..100
#include "../given.cuh"

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  solved<d_l, grp_size, unroll_degree>(l_out, l_in, n_l - (n_l % 4096 == 0));
}
