// SPDX-License-Identifier: Apache-2.0
// Attack: a variable of 100 KB whose alignment the survey's parser does not take, so that its bytes
// are not counted.
// Expect: student_error:forbidden 0..0
__device__ __align__(2097152) unsigned char cache[100000];
#include "../given.cuh"
template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  if (n_l < 0) cache[threadIdx.x] = 1;
  solved<d_l, grp_size, unroll_degree>(l_out, l_in, n_l);
}
