// SPDX-License-Identifier: Apache-2.0
// Attack: strided loads, hidden among broadcast loads of one sector each, so that the average of
// sectors a request falls to what contiguous loads have.
// Expect: partial 25..40
#include "../given.cuh"

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  const int tid = threadIdx.x + blockIdx.x * blockDim.x;
  float useless = 0;
  for (int h = tid; h < n_l; h += blockDim.x * gridDim.x) {
    norm_vector<d_l>(l_out, l_in, h);
    for (int k = 0; k < 8 * d_l; k++) useless += *(volatile const elt_t*)l_in;
  }
  if (useless == 12345.678f) l_out[0] = useless;
}
