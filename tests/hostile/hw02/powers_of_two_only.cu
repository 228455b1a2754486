// SPDX-License-Identifier: Apache-2.0
// Attack: right for even sizes only, as most test programs use.
// Expect: fail 0..0
#include "../given.cuh"

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  const int rounded = n_l & ~255;
  solved<d_l, grp_size, unroll_degree>(l_out, l_in, rounded);
}
