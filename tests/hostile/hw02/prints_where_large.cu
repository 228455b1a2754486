// SPDX-License-Identifier: Apache-2.0
// Attack: leaves out what no drawn launch has, and prints there: what prints has no counts.
// Expect: fail|partial 0..20
// What cannot be counted is executed by its PTX, and what that computes is compared.
#include <cstdio>
#include "../given.cuh"

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  constexpr int most = 140000;
  if (n_l > most && threadIdx.x == 0) printf("%d vectors are many\n", n_l);
  solved<d_l, grp_size, unroll_degree>(l_out, l_in, min(n_l, most));
}
