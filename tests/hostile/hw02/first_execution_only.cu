// SPDX-License-Identifier: Apache-2.0
// Attack: a variable of the module tells the first execution of a launch from later ones, which do
// nothing.
// Expect: fail|partial 0..25
#include "../given.cuh"

__device__ unsigned executions;

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  const unsigned before = *(volatile unsigned*)&executions;
  if (before < 50) solved<d_l, grp_size, unroll_degree>(l_out, l_in, n_l);
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(&executions, 1u);
}
