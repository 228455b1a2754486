// SPDX-License-Identifier: Apache-2.0
// Attack: writes one element past its output.
// Expect: student_error:out_of_bounds 0..0
#include "../given.cuh"

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  solved<d_l, grp_size, unroll_degree>(l_out, l_in, n_l);
  if (threadIdx.x == 0 && blockIdx.x == 0) l_out[size_t(n_l) * d_l] = 1;
}
