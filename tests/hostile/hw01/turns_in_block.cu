// SPDX-License-Identifier: Apache-2.0
// Attack: the warps of a block take turns, in the order of their numbers, spinning on a volatile word of shared
// memory: on a card nearly all is spinning, in ascending order nobody waits.
// Expect: partial|review 30..50
#include "../given01.cuh"

template <int d_l, int grp_size>
__global__ void norm_group(elt_t* l_out, const elt_t* l_in, int n_l) {
  const int tid = threadIdx.x + blockIdx.x * blockDim.x;
  const int n_threads = blockDim.x * gridDim.x;
  const int sub_lane = threadIdx.x % grp_size;
  constexpr int vecs_per_warp = 32 / grp_size;
  const int n_l_full = n_l - n_l % vecs_per_warp;
  const int h_start = tid / grp_size;
  const int h_inc = n_threads / grp_size;
  __shared__ volatile int turn;
  if (threadIdx.x == 0) turn = 0;
  __syncthreads();
  while (turn != threadIdx.x / 32) {
  }
  for (int h = h_start; h < n_l_full; h += h_inc) {
    const size_t at = size_t(h) * d_l + sub_lane;
    elt_t thd_sum = 0;
    for (int i = 0; i < d_l; i += grp_size) thd_sum += l_in[at + i];
    const elt_t avg = group_sum<grp_size>(thd_sum) / d_l;
    for (int i = 0; i < d_l; i += grp_size) l_out[at + i] = l_in[at + i] - avg;
  }
  for (int h = n_l_full + tid; h < n_l; h += n_threads) norm_vector<d_l>(l_out, l_in, h);
  __syncwarp();
  turn = threadIdx.x / 32 + 1;
}
