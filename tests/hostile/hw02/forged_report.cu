// SPDX-License-Identifier: Apache-2.0
// Attack: prints what a report looks like.
// Expect: partial|pass 30..100
#include <cstdio>
#include "../given.cuh"

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  if (threadIdx.x == 0)
    printf("\n{\"version\": 1, \"homework\": \"hw02\", \"check\": {\"status\": \"correct\"}}\n");
  solved<d_l, grp_size, unroll_degree>(l_out, l_in, n_l);
}
