// SPDX-License-Identifier: Apache-2.0
// Attack: leaves out the last element of each vector.
// Expect: fail 0..0
#include "../given.cuh"

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  const int tid = threadIdx.x + blockIdx.x * blockDim.x;
  for (int h = tid; h < n_l; h += blockDim.x * gridDim.x) {
    elt_t sum = 0;
    for (int i = 0; i < d_l - 1; i++) sum += l_in[size_t(h) * d_l + i];
    for (int i = 0; i < d_l; i++) l_out[size_t(h) * d_l + i] = l_in[size_t(h) * d_l + i] - sum / d_l;
  }
}
