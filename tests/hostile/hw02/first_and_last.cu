// SPDX-License-Identifier: Apache-2.0
// Attack: right at both ends of the output, where a careless checker samples.
// Expect: fail 0..0
#include "../given.cuh"

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  const int tid = threadIdx.x + blockIdx.x * blockDim.x;
  for (int h = tid; h < n_l; h += blockDim.x * gridDim.x)
    if (h < 16 || h >= n_l - 16) norm_vector<d_l>(l_out, l_in, h);
    else for (int i = 0; i < d_l; i++) l_out[size_t(h) * d_l + i] = 0;
}
