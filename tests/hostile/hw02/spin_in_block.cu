// SPDX-License-Identifier: Apache-2.0
// Attack: the warps of a block take turns, spinning on a volatile word of shared memory: on a card
// nearly all is spinning. Counted launches run in ascending order, where nobody ever waits.
// Expect: partial|review 25..45
#include "../given.cuh"


template <int d_l, int grp_size, int unroll_degree>
__global__ void __launch_bounds__(1024) norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  __shared__ volatile int turn;
  if (threadIdx.x == 0) turn = 0;
  __syncthreads();
  const int tid = threadIdx.x + blockIdx.x * blockDim.x;
  const int n_threads = blockDim.x * gridDim.x;
  const int sub_lane = threadIdx.x % grp_size;
  constexpr int vecs_per_warp = 32 / grp_size;
  constexpr int vecs_per_iter = vecs_per_warp * unroll_degree;
  const int n_l_full = n_l - n_l % vecs_per_iter;
  const int warp = tid / 32;
  const int h_start = warp * vecs_per_iter + threadIdx.x % 32 / grp_size;
  const int h_inc = n_threads / 32 * vecs_per_iter;
  while (turn != threadIdx.x / 32) {
  }
  for (int hi = h_start; hi < n_l_full; hi += h_inc) {
    elt_t thd_sum[unroll_degree]{};
    for (int j = 0; j < unroll_degree; j++) {
      const size_t at = size_t(hi + j * vecs_per_warp) * d_l + sub_lane;
      for (int i = 0; i < d_l; i += grp_size) {
        thd_sum[j] += l_in[at + i];
      }
    }
    elt_t avg[unroll_degree];
    for (int j = 0; j < unroll_degree; j++) avg[j] = group_sum<grp_size>(thd_sum[j]) / d_l;
    for (int j = 0; j < unroll_degree; j++) {
      const size_t at = size_t(hi + j * vecs_per_warp) * d_l + sub_lane;
      for (int i = 0; i < d_l; i += grp_size) {
        l_out[at + i] = l_in[at + i] - avg[j];
      }
    }
  }
  for (int h = n_l_full + tid; h < n_l; h += n_threads) norm_vector<d_l>(l_out, l_in, h);
  __syncwarp();
  turn = threadIdx.x / 32 + 1;
}
