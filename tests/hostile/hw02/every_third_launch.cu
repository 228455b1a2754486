// SPDX-License-Identifier: Apache-2.0
// Attack: guesses that a later execution is the one with counters, and does less in it. The number
// of the launch is kept in a variable, which has its initial value again each time: nothing is won
// by it, since all is done in each of them.
// Expect: pass|partial 90..100
#include "../given.cuh"

__device__ volatile int launches;
__device__ unsigned ended_blocks;

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  const int mine = launches;
  solved<d_l, grp_size, unroll_degree>(l_out, l_in, mine % 3 != 1 ? n_l : n_l / 2);
  __syncthreads();
  if (threadIdx.x > 0 || atomicInc(&ended_blocks, gridDim.x - 1) < gridDim.x - 1) return;
  launches = mine + 1;
}
