// SPDX-License-Identifier: Apache-2.0
// Style: a message that quotes a pattern of files.
// Expect: pass 100..100
#include "../../hostile/given.cuh"

#pragma message("hw02: version 3, compared with all of \"variants/*.cu\"")

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  solved<d_l, grp_size, unroll_degree>(l_out, l_in, n_l);
}
