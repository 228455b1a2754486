// SPDX-License-Identifier: Apache-2.0
// Style: #ident with a version, as version control writes it, which gcc hands on to the compiler.
// Expect: pass 100..100
#ident "$Id: hw02.cu 12 ada $"
#include "../../hostile/given.cuh"
template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  solved<d_l, grp_size, unroll_degree>(l_out, l_in, n_l);
}
