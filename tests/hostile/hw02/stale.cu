// SPDX-License-Identifier: Apache-2.0
// Attack: the first warp works, the others leave what an earlier launch wrote.
// Expect: fail 0..0
#include "../given.cuh"

__device__ int worked;

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  if (atomicAdd(&worked, 1) >= 32) return;
  __syncthreads();
  solved<d_l, grp_size, unroll_degree>(l_out, l_in, n_l);
}
