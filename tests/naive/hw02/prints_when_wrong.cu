// SPDX-License-Identifier: Apache-2.0
// Style: a printf that is never reached and an assertion that holds; the emulator cannot predict
// instructions of a kernel that calls a function of the system, so they are not measured there.
// Expect: not_measured 30..100
// Expect gpu: pass|partial 90..100
#include <cassert>
#include <cstdio>

#include "../../hostile/given.cuh"

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  assert(n_l > 0);
  if (n_l < 0) printf("impossible %d\n", n_l);
  solved<d_l, grp_size, unroll_degree>(l_out, l_in, n_l);
}
