// SPDX-License-Identifier: Apache-2.0
// Attack: 16-bit compare and swap of all lanes in the halves of one word: a loop on the card that is none in PTX.
// Expect: partial 25..55
// Expect gpu: partial 55..97
#include "../given.cuh"

__device__ unsigned short word[2];

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  const int tid = threadIdx.x + blockIdx.x * blockDim.x;
  const int turns = n_l * d_l / 256;
  for (int k = tid / 32; k < turns; k += blockDim.x * gridDim.x / 32) 
    atomicCAS(&word[tid % 2], word[tid % 2], (unsigned short)(tid + k));
  solved<d_l, grp_size, unroll_degree>(l_out, l_in, n_l);
}
