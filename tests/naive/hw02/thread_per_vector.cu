// SPDX-License-Identifier: Apache-2.0
// Style: one thread a vector: few instructions, but a warp reads with gaps.
// Expect: partial 30..35
#include "../../hostile/given.cuh"

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  const int tid = threadIdx.x + blockIdx.x * blockDim.x;
  for (int h = tid; h < n_l; h += blockDim.x * gridDim.x) norm_vector<d_l>(l_out, l_in, h);
}
