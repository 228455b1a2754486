// SPDX-License-Identifier: Apache-2.0
// Attack: launches a kernel of its own for the work.
// Expect: student_error:compile 0..0
#include "../given.cuh"

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  if (threadIdx.x == 0 && blockIdx.x == 0) norm_group<d_l, grp_size><<<8, 256>>>(l_out, l_in, n_l);
}
