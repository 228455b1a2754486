// SPDX-License-Identifier: Apache-2.0
// Attack: knows the patterns that outputs hold before a launch, and works only with one of them.
// Expect: fail 0..0
// Expect gpu: fail|partial 0..25
#include "../given.cuh"

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  const unsigned pattern = __float_as_uint(reinterpret_cast<volatile float*>(l_out)[n_l * d_l - 1]);
  if (pattern == 0xcb7ea5a5u) return;
  solved<d_l, grp_size, unroll_degree>(l_out, l_in, n_l);
}
