// SPDX-License-Identifier: Apache-2.0
// Attack: block 0 does the work of all others. All blocks are counted, so nothing is gained.
// Expect: partial 30..35
#include "../given.cuh"

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  if (blockIdx.x > 0) return;
  for (int h = threadIdx.x; h < n_l; h += blockDim.x) norm_vector<d_l>(l_out, l_in, h);
}
