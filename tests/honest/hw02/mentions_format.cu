// SPDX-License-Identifier: Apache-2.0
// Style: comments that name headers in quotes and brackets: each row of the table has the "format"
// of the handout, and the driver on my own machine uses <format> and <mma.h>.
// Expect: pass 100..100
#include "../../hostile/given.cuh"

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  solved<d_l, grp_size, unroll_degree>(l_out, l_in, n_l);
}
