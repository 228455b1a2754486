// SPDX-License-Identifier: Apache-2.0
// Attack: the warps of a block work one after the other. A warp waits at as many barriers as its turn has a number, works
// and ends without coming to another one: its end lets the others through. The longest way through a block adds up the
// ways of those who came to a barrier, not of those whose end has opened it, so none of the waiting is seen.
// Expect: partial 20..40
// Expect gpu: pass|partial 20..100
#include "../given.cuh"

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  const int warp = threadIdx.x / 32;
  const long long n_warps = gridDim.x * (blockDim.x / 32);
  // As many barriers as are granted: 4 a warp, and one for 16 elements.
  const bool many = size_t(n_l) * d_l >= size_t(192 * n_warps);
  const int turn = many ? warp : warp / 4;
#pragma unroll 4
  for (int i = 0; i < turn; i++) __syncthreads();
  solved<d_l, grp_size, unroll_degree>(l_out, l_in, n_l);
}
