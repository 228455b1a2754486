// SPDX-License-Identifier: Apache-2.0
// Attack: a variable of a function, with an initial value, tells the first execution of each kernel
// from later ones, which do nothing. It has that value again each time: nothing is won or lost.
// Expect: pass|partial 90..100
#include "../given.cuh"

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  static volatile int executions_left = 1;
  static unsigned ended_blocks;
  const int left = executions_left;
  if (left > 0) solved<d_l, grp_size, unroll_degree>(l_out, l_in, n_l);
  __syncthreads();
  if (threadIdx.x > 0 || atomicInc(&ended_blocks, gridDim.x - 1) < gridDim.x - 1) return;
  executions_left = left - 1;
}
