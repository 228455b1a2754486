// SPDX-License-Identifier: Apache-2.0
// Attack: asks for more local memory than a thread can have.
// Expect: student_error|fail 0..0
#include "../given.cuh"

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  volatile float mine[1 << 21];
  mine[threadIdx.x] = l_in[0];
  l_out[0] = mine[n_l];
}
