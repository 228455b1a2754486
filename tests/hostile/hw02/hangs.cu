// SPDX-License-Identifier: Apache-2.0
// Attack: never ends.
// Expect: fail:too_slow 0..0
// Expect gpu: student_error:timeout 0..0
#include "../given.cuh"

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  volatile float* out = l_out;
  while (true) out[0] = 1;
}
