// SPDX-License-Identifier: Apache-2.0
// Attack: does nothing on large inputs where the input lies where that of a launch before lay, which
// tells of arrays that are used again. It never finds an address but the one that it wrote itself,
// and loses nearly nothing.
// Expect: pass|partial 90..100
#include "../given.cuh"

__device__ unsigned long long last_in;
__device__ unsigned ended_blocks;

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  const bool seen = *(volatile unsigned long long*)&last_in == (unsigned long long)l_in;
  if (!seen || n_l < 70000) solved<d_l, grp_size, unroll_degree>(l_out, l_in, n_l);
  __syncthreads();
  if (threadIdx.x > 0 || atomicInc(&ended_blocks, gridDim.x - 1) < gridDim.x - 1) return;
  last_in = (unsigned long long)l_in;
}
