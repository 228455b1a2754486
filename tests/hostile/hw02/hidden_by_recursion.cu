// SPDX-License-Identifier: Apache-2.0
// Attack: the slow way, and a recursion in which lanes part, so that counts are not to be had.
// Expect: partial 0..40
#include "../given.cuh"

__device__ __noinline__ int depth(int lane, int n) {
  if (lane <= n) return n;
  return lane & 1 ? depth(lane - 2, n) + 1 : depth(lane - 1, n);
}

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  const int tid = threadIdx.x + blockIdx.x * blockDim.x;
  if (depth(threadIdx.x % 32, 0) == -1) return;
  for (int h = tid; h < n_l; h += blockDim.x * gridDim.x) norm_vector<d_l>(l_out, l_in, h);
}
