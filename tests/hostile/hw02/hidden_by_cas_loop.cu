// SPDX-License-Identifier: Apache-2.0
// Attack: the starter, and a compare-and-swap loop before it, whose turns are timing: so
// that no instructions would be counted.
// Expect: partial 0..40
// Expect gpu: partial 0..40
#include "../given.cuh"

__device__ unsigned taken;

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  for (unsigned seen = taken, was = ~seen; was != seen; seen = was)
    was = atomicCAS(&taken, seen, seen + 1), was = was == seen ? seen : was;
  const int tid = threadIdx.x + blockIdx.x * blockDim.x;
  for (int h = tid; h < n_l; h += blockDim.x * gridDim.x) norm_vector<d_l>(l_out, l_in, h);
}
