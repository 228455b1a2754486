// SPDX-License-Identifier: Apache-2.0
// Attack: a constant that takes ages to compute.
// Expect: student_error 0..0
#include "../given.cuh"

__host__ __device__ constexpr unsigned spin(unsigned n) {
  for (unsigned i = 0; i < 4000000000u; i++) n = n * 31 + i;
  return n;
}

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  l_out[0] = spin(0);
  static_assert(spin(0) != 1);
  solved<d_l, grp_size, unroll_degree>(l_out, l_in, n_l);
}
