// SPDX-License-Identifier: Apache-2.0
// Attack: right everywhere; any kernel's first launch leaves word, through a pointer, for all later
// ones to be good. They find the pointer and what it points to as they were.
// Expect: partial 25..45
#include "../given.cuh"

__device__ int words[3] = {3, 1, 4};
__device__ volatile int* volatile where = &words[1];

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  const int tid = threadIdx.x + blockIdx.x * blockDim.x;
  if (n_l > 500 && *where != 1)
    return solved<d_l, grp_size, unroll_degree>(l_out, l_in, n_l);
  for (int h = tid; h < n_l; h += blockDim.x * gridDim.x) norm_vector<d_l>(l_out, l_in, h);
  if (n_l > 500 || tid > 0) return;
  *where = 5;
  where = &words[0];
}
