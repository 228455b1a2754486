// SPDX-License-Identifier: Apache-2.0
// Attack: reciprocal square roots of denormal doubles: the slow routine of ptxas is called each time, the quick way is counted.
// Expect: partial 25..98
#include "../given.cuh"

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  const int tid = threadIdx.x + blockIdx.x * blockDim.x;
  const int turns = n_l * d_l / 512;
  double sum = 0;
  for (int k = tid / 32; k < turns; k += blockDim.x * gridDim.x / 32) sum += rsqrt((k + 1) * 0x1p-1070);
  if (sum == 0.5) l_out[0] = 0;
  solved<d_l, grp_size, unroll_degree>(l_out, l_in, n_l);
}
