// SPDX-License-Identifier: Apache-2.0
// Attack: drops half of the mantissa and hopes for a wide tolerance.
// Expect: fail 0..0
#include "../given.cuh"

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  solved<d_l, grp_size, unroll_degree>(l_out, l_in, n_l);
  __syncthreads();
  const int tid = threadIdx.x + blockIdx.x * blockDim.x;
  for (int i = tid; i < n_l * d_l; i += blockDim.x * gridDim.x)
    l_out[i] = __uint_as_float(__float_as_uint(l_in[i] * 0.99f) & 0xfffff000u);
}
