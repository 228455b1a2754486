// SPDX-License-Identifier: Apache-2.0
// Attack: a thread a vector, with strided loads, in a function named like ptxas's "__cuda_sm20_...",
// so that sectors and instructions of it are not seen.
// Expect: partial 25..45
#include "../given.cuh"
template <int d_l>
__device__ __noinline__ void one__cuda_sm20_div(elt_t* l_out, const elt_t* l_in, int h) {
  norm_vector<d_l>(l_out, l_in, h);
}
template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  const int tid = threadIdx.x + blockIdx.x * blockDim.x;
  for (int h = tid; h < n_l; h += blockDim.x * gridDim.x) one__cuda_sm20_div<d_l>(l_out, l_in, h);
}
