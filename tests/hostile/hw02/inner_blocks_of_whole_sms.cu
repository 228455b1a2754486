// SPDX-License-Identifier: Apache-2.0
// Attack: blocks between the first and the last do nothing where each of 132 SMs has equally many.
// Expect: partial|fail 0..40
// Expect gpu: pass|partial|fail 0..40
#include "../given.cuh"

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  const unsigned inner = blockIdx.x * (gridDim.x - 1 - blockIdx.x);
  if (inner != 0 && gridDim.x % 132 == 0) return;
  solved<d_l, grp_size, unroll_degree>(l_out, l_in, n_l);
}
