// SPDX-License-Identifier: Apache-2.0
// Attack: a variable of a gigabyte with a value.
// Expect: student_error 0..0
#include "../given.cuh"

__device__ int table[1 << 28] = {1};

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  l_out[0] = table[n_l];
  solved<d_l, grp_size, unroll_degree>(l_out, l_in, n_l);
}
