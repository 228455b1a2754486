// SPDX-License-Identifier: Apache-2.0
// Attack: right everywhere, good only for the launch that used to be counted.
// Expect: partial 25..45
#include "../given.cuh"

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  if (n_l == 16384 && gridDim.x == 8 && blockDim.x == 256)
    return solved<d_l, grp_size, unroll_degree>(l_out, l_in, n_l);
  const int tid = threadIdx.x + blockIdx.x * blockDim.x;
  for (int h = tid; h < n_l; h += blockDim.x * gridDim.x) norm_vector<d_l>(l_out, l_in, h);
}
