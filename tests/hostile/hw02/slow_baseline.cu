// SPDX-License-Identifier: Apache-2.0
// Attack: makes norm_group slow, so that everything looks good beside it.
// Expect: partial 25..35
#define norm_group given_norm_group
#include "../given.cuh"
#undef norm_group

template <int d_l, int grp_size>
__global__ void norm_group(elt_t* l_out, const elt_t* l_in, int n_l) {
  const int tid = threadIdx.x + blockIdx.x * blockDim.x;
  for (int h = tid; h < n_l; h += blockDim.x * gridDim.x) {
    norm_vector<d_l>(l_out, l_in, h);
    __threadfence();
    norm_vector<d_l>(l_out, l_in, h);
  }
}

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  const int tid = threadIdx.x + blockIdx.x * blockDim.x;
  for (int h = tid; h < n_l; h += blockDim.x * gridDim.x) norm_vector<d_l>(l_out, l_in, h);
}
