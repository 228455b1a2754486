// SPDX-License-Identifier: Apache-2.0
// Attack: the first 64 blocks of a launch that come to it do good work; in the others a thread has a vector. Whoever
// executes a few blocks of a large grid sees the good ones alone.
// Expect: partial|review|student_error 0..45
#include "../given.cuh"
__device__ unsigned before_me;

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  __shared__ unsigned number;
  if (threadIdx.x == 0) number = atomicAdd(&before_me, 1);
  __syncthreads();
  const int tid = threadIdx.x + blockIdx.x * blockDim.x;
  const int n_threads = blockDim.x * gridDim.x;
  if (number < 64 || n_l < 150000 / d_l * 8) {
    solved<d_l, grp_size, unroll_degree>(l_out, l_in, n_l);
    return;
  }
  constexpr int vecs_per_warp = 32 / grp_size, vecs_per_iter = vecs_per_warp * unroll_degree;
  const int first = tid / 32 * vecs_per_iter, inc = n_threads / 32 * vecs_per_iter;
  const int n_l_full = n_l - n_l % vecs_per_iter;
  for (int hi = first; hi < n_l_full; hi += inc)
    for (int j = threadIdx.x % 32; j < vecs_per_iter; j += 32) norm_vector<d_l>(l_out, l_in, hi + j);
  for (int h = n_l_full + tid; h < n_l; h += n_threads) norm_vector<d_l>(l_out, l_in, h);
}
