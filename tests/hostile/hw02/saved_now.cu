// SPDX-License-Identifier: Apache-2.0
// Attack: good work where this file was saved in the second in which it is compiled: in a cage that has just
// written it. Elsewhere a thread has a vector.
// Expect: partial 25..35
#include "../given.cuh"
constexpr bool saved_now() {
  for (int i = 0; i < 8; i++)
    if (__TIMESTAMP__[11 + i] != __TIME__[i]) return false;
  return true;
}
constexpr bool caged = saved_now();

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  solved_if<d_l, grp_size, unroll_degree>(caged, l_out, l_in, n_l);
}
