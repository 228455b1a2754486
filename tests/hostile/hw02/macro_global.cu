// SPDX-License-Identifier: Apache-2.0
// Attack: makes kernels vanish by redefining __global__ after the file.
// Expect: student_error:compile 0..0
#include "../given.cuh"

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  solved<d_l, grp_size, unroll_degree>(l_out, l_in, n_l);
}

#undef __global__
#define __global__ __device__
