// SPDX-License-Identifier: Apache-2.0
// Attack: a constant that takes ages to compute.
// Expect: student_error 0..0
#include "../given.cuh"

constexpr long long spin(long long n) {
  for (long long i = 0; i < 1000000000000LL; i++) n = n * 31 + i;
  return n;
}

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  l_out[0] = spin(0);
  static_assert(spin(0) > 0);
  solved<d_l, grp_size, unroll_degree>(l_out, l_in, n_l);
}
