// SPDX-License-Identifier: Apache-2.0
// Attack: works once; later launches leave what an earlier one wrote.
// Expect: fail 0..0
#include "../given.cuh"

__device__ volatile int worked;

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  if (worked) return;
  __syncthreads();
  solved<d_l, grp_size, unroll_degree>(l_out, l_in, n_l);
  if (threadIdx.x == 0) worked = 1;
}
