// SPDX-License-Identifier: Apache-2.0
// Attack: the solution's loop, whose vectors are all taken by the first warp of the grid; all others end at once. All sums over
// warps are the solution's, but a card is used for a 4000th part. What a warp does at most is no count.
// Expect: partial 30..75
// Expect gpu: pass|partial 30..100
#include "../given.cuh"

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  if (blockIdx.x > 0 || threadIdx.x >= 32) return;
  const int lane = threadIdx.x, sub_lane = lane % grp_size;
  constexpr int vecs_per_warp = 32 / grp_size;
  constexpr int vecs_per_iter = vecs_per_warp * unroll_degree;
  const int n_l_full = n_l - n_l % vecs_per_iter;
  for (int hi = lane / grp_size; hi < n_l_full; hi += vecs_per_iter) {
    elt_t avg[unroll_degree]{};
    const size_t at = size_t(hi) * d_l + sub_lane;
    for (int j = 0; j < unroll_degree; j++)
      for (int i = 0; i < d_l; i += grp_size) avg[j] += l_in[at + j * vecs_per_warp * d_l + i];
    for (int j = 0; j < unroll_degree; j++) avg[j] = group_sum<grp_size>(avg[j]) / d_l;
    for (int j = 0; j < unroll_degree; j++)
      for (int i = 0; i < d_l; i += grp_size)
        l_out[at + j * vecs_per_warp * d_l + i] = l_in[at + j * vecs_per_warp * d_l + i] - avg[j];
  }
  for (int h = n_l_full + lane; h < n_l; h += 32) norm_vector<d_l>(l_out, l_in, h);
}
