// SPDX-License-Identifier: Apache-2.0
// Attack: the solution's loop, whose vectors are all taken by the first warp of the grid; all others end at once. Order and
// number of accesses are the solution's, and so are all sums over warps, but a card is used for a 4000th part.
// Expect: partial 30..40
// Expect gpu: pass|partial 30..100
#include "../given01.cuh"

template <int d_l, int grp_size>
__global__ void norm_group(elt_t* l_out, const elt_t* l_in, int n_l) {
  if (blockIdx.x > 0 || threadIdx.x >= 32) return;
  const int lane = threadIdx.x, sub_lane = lane % grp_size;
  constexpr int vecs_per_warp = 32 / grp_size;
  const int n_l_full = n_l - n_l % vecs_per_warp;
  for (int h = lane / grp_size; h < n_l_full; h += vecs_per_warp) {
    const size_t at = size_t(h) * d_l + sub_lane;
    elt_t sum = 0;
    for (int i = 0; i < d_l; i += grp_size) sum += l_in[at + i];
    const elt_t avg = group_sum<grp_size>(sum) / d_l;
    for (int i = 0; i < d_l; i += grp_size) l_out[at + i] = l_in[at + i] - avg;
  }
  for (int h = n_l_full + lane; h < n_l; h += 32) norm_vector<d_l>(l_out, l_in, h);
}
