// SPDX-License-Identifier: Apache-2.0
// Attack: the warps of a block work one after the other: each passes as many barriers before its work as its number
// says, and the rest after it. No spinning, few instructions; on a card no two warps of a block ever have loads in flight.
// Expect: partial 25..40
// Expect gpu: pass|partial 30..100
#include "../given.cuh"

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  const int warp = threadIdx.x / 32, warps = blockDim.x / 32;
#pragma unroll 4
  for (int i = 0; i < warp; i++) __syncthreads();
  solved<d_l, grp_size, unroll_degree>(l_out, l_in, n_l);
#pragma unroll 4
  for (int i = warp; i < warps; i++) __syncthreads();
}
