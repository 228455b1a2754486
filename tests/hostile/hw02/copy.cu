// SPDX-License-Identifier: Apache-2.0
// Attack: copies the input: small errors, few instructions.
// Expect: fail 0..0
#include "../given.cuh"

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  const int tid = threadIdx.x + blockIdx.x * blockDim.x;
  for (int i = tid; i < n_l * d_l; i += blockDim.x * gridDim.x) l_out[i] = l_in[i];
}
