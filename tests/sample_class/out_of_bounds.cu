// SPDX-License-Identifier: Apache-2.0
// Sample of `make demo`: the vectors left over are one too many.
#include "../hostile/given.cuh"

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  solved<d_l, grp_size, unroll_degree>(l_out, l_in, n_l);
  const int tid = threadIdx.x + blockIdx.x * blockDim.x;
  if (tid == 0) norm_vector<d_l>(l_out, l_in, n_l);
}
