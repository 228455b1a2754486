// SPDX-License-Identifier: Apache-2.0
// Attack: guesses that a later execution is the one with counters, and does less in it.
// Expect: fail 0..0
#include "../given.cuh"

__device__ volatile int launches;

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  const int mine = launches;
  __syncthreads();
  solved<d_l, grp_size, unroll_degree>(l_out, l_in, mine % 3 != 1 ? n_l : n_l / 2);
  if (threadIdx.x == 0 && blockIdx.x == 0) launches = mine + 1;
}
