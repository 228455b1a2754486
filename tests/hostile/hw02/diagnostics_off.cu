// SPDX-License-Identifier: Apache-2.0
// Attack: turns every message of the compiler off, and is wrong.
// Expect: fail 0..0
#pragma nv_diag_suppress 1-9999
#pragma GCC diagnostic ignored "-Wall"
#include "../given.cuh"

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  const int tid = threadIdx.x + blockIdx.x * blockDim.x;
  if (tid < n_l * d_l) l_out[tid] = 0;
}
