// SPDX-License-Identifier: Apache-2.0
// Attack: right everywhere; each kernel numbers its launches and is good from the twelfth on, where
// it believes itself counted.
// Expect: partial 25..45
#include "../given.cuh"

template <int d_l, int grp_size, int unroll_degree>
__device__ volatile int launches;
template <int d_l, int grp_size, int unroll_degree>
__device__ unsigned ended_blocks;

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  const int before = launches<d_l, grp_size, unroll_degree>;
  if (before >= 11) return solved<d_l, grp_size, unroll_degree>(l_out, l_in, n_l);
  const int tid = threadIdx.x + blockIdx.x * blockDim.x;
  for (int h = tid; h < n_l; h += blockDim.x * gridDim.x) norm_vector<d_l>(l_out, l_in, h);
  __syncthreads();
  unsigned* ended = &ended_blocks<d_l, grp_size, unroll_degree>;
  if (threadIdx.x > 0 || atomicInc(ended, gridDim.x - 1) < gridDim.x - 1) return;
  launches<d_l, grp_size, unroll_degree> = before + 1;
}
