// SPDX-License-Identifier: Apache-2.0
// Attack: variables have their first values in each launch of ours, so a launch takes itself for the first one after the
// module was loaded, and works well. In any program all others are norm_group's work, a thread's vector after the other.
// Expect: review 30..30
// Expect gpu: pass|partial 30..100
#include "../given.cuh"
__device__ unsigned blocks_done, seasoned;

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  const int tid = threadIdx.x + blockIdx.x * blockDim.x;
  const int n_threads = blockDim.x * gridDim.x;
  if (seasoned == 0)
    solved<d_l, grp_size, unroll_degree>(l_out, l_in, n_l);
  else
    for (int h = tid; h < n_l; h += n_threads) norm_vector<d_l>(l_out, l_in, h);
  __syncthreads();
  if (threadIdx.x > 0) return;
  __threadfence();
  if (atomicInc(&blocks_done, gridDim.x - 1) == gridDim.x - 1) seasoned = 1;
}
