// SPDX-License-Identifier: Apache-2.0
// Attack: does not end where it would be wrong: cut, it is not seen to be wrong.
// Expect: partial 0..27
// Expect gpu: student_error:timeout 0..27
#include "../given.cuh"

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  volatile float* out = l_out;
  while (n_l > 50000) out[0] = out[0];
  solved<d_l, grp_size, unroll_degree>(l_out, l_in, n_l);
}
