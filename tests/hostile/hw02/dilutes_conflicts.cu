// SPDX-License-Identifier: Apache-2.0
// Attack: the starter's conflicts, diluted by stores of the first element over and over.
// Expect: partial 25..40
#include "../given.cuh"

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  const int tid = threadIdx.x + blockIdx.x * blockDim.x;
  float useless = 0;
  for (int h = tid; h < n_l; h += blockDim.x * gridDim.x) {
    norm_vector<d_l>(l_out, l_in, h);
    for (int k = 0; k < 4 * d_l; k++) useless += ((volatile const elt_t*)l_in)[k & 7];
  }
  if (useless == 12345.678f) l_out[0] = useless;
}
