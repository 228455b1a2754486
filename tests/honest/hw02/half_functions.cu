// SPDX-License-Identifier: Apache-2.0
// Style: a header whose functions are inline assembly, for a test of its own.
// Expect: pass 100..100
#include "../../hostile/given.cuh"

#include <cuda_fp16.h>

__device__ bool halves_add() {
  return __hadd(__float2half(1.0f), __float2half(1.0f)) == __float2half(2.0f);
}

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  if (n_l < 0 && !halves_add()) return;
  solved<d_l, grp_size, unroll_degree>(l_out, l_in, n_l);
}
