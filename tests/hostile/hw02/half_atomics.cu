// SPDX-License-Identifier: Apache-2.0
// Attack: additions of halves to one word: on the card a loop of compare and swap with a turn for every lane.
// Expect: partial 25..55
// Expect gpu: partial 30..97
#include <cuda_fp16.h>
#include "../given.cuh"

__device__ __half total;

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  const int tid = threadIdx.x + blockIdx.x * blockDim.x;
  const int turns = n_l * d_l / 256;
  for (int k = tid / 32; k < turns; k += blockDim.x * gridDim.x / 32) atomicAdd(&total, __half(1));
  solved<d_l, grp_size, unroll_degree>(l_out, l_in, n_l);
}
