// SPDX-License-Identifier: Apache-2.0
// Attack: the same with room for every result: more device memory than the homework allows.
// Expect: student_error:forbidden 0..0
#include "../given.cuh"

__device__ float cache[1 << 20];

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  const int tid = threadIdx.x + blockIdx.x * blockDim.x;
  if (tid < (1 << 20)) cache[tid] = l_in[0];
  solved<d_l, grp_size, unroll_degree>(l_out, l_in, n_l);
}
