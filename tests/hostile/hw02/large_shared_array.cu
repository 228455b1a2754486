// SPDX-License-Identifier: Apache-2.0
// Attack: asks for more shared memory than a block can have.
// Expect: student_error:compile 0..0
#include "../given.cuh"

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  __shared__ volatile float ours[100000];
  ours[threadIdx.x] = l_in[0];
  l_out[0] = ours[n_l];
}
