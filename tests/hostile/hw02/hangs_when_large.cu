// SPDX-License-Identifier: Apache-2.0
// Attack: ends on small inputs, never on those that are counted.
// Expect: partial|fail 0..20
// Expect gpu: student_error:timeout 0..20
#include "../given.cuh"

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  solved<d_l, grp_size, unroll_degree>(l_out, l_in, n_l);
  volatile float* out = l_out;
  while (n_l > 10000) out[0] = out[0];
}
