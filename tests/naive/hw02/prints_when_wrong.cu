// SPDX-License-Identifier: Apache-2.0
// Style: a printf that is never reached and an assertion that holds: both cost instructions.
// Expect: pass|partial 95..100
#include <cassert>
#include <cstdio>

#include "../../hostile/given.cuh"

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  assert(n_l > 0);
  if (n_l < 0) printf("impossible %d\n", n_l);
  solved<d_l, grp_size, unroll_degree>(l_out, l_in, n_l);
}
