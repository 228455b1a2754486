// SPDX-License-Identifier: Apache-2.0
// Attack: writes through a null pointer.
// Expect: student_error:crash 0..0
#include "../given.cuh"

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  solved<d_l, grp_size, unroll_degree>(l_out, l_in, n_l);
  if (threadIdx.x == 0) *reinterpret_cast<volatile float*>(n_l < 0 ? 16 : 0) = 1;
}
