// SPDX-License-Identifier: Apache-2.0
// Attack: conflicts and traffic are judged for up to 4 blocks alone: with more (every real launch) groups take
// neighbouring vectors (conflicts), loads go past L1 as volatile and everything is written twice.
// Expect: partial 65..80
#include "../given.cuh"

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  if (gridDim.x <= 4) return solved<d_l, grp_size, unroll_degree>(l_out, l_in, n_l);
  const int tid = threadIdx.x + blockIdx.x * blockDim.x;
  const int n_threads = blockDim.x * gridDim.x;
  const int sub_lane = threadIdx.x % grp_size;
  constexpr int share = d_l / grp_size;
  constexpr int vecs_per_iter = 32 / grp_size * unroll_degree;
  const int n_l_full = n_l - n_l % vecs_per_iter;
  const int h_inc = n_threads / grp_size * unroll_degree;
  for (int hi = tid / grp_size * unroll_degree; hi < n_l_full; hi += h_inc) {
    elt_t x[unroll_degree][share], avg[unroll_degree]{};
    volatile elt_t* const out = l_out + size_t(hi) * d_l + sub_lane;
    const elt_t* const in = l_in + size_t(hi) * d_l + sub_lane;
    for (int j = 0; j < unroll_degree; j++)
      for (int i = 0; i < share; i++) avg[j] += x[j][i] = __ldcv(in + j * d_l + i * grp_size);
    for (int j = 0; j < unroll_degree; j++)
      for (int i = 0; i < share; i++) out[j * d_l + i * grp_size] = x[j][i];
    for (int j = 0; j < unroll_degree; j++) avg[j] = group_sum<grp_size>(avg[j]) / d_l;
    for (int j = 0; j < unroll_degree; j++)
      for (int i = 0; i < share; i++) out[j * d_l + i * grp_size] = x[j][i] - avg[j];
  }
  for (int h = n_l_full + tid; h < n_l; h += n_threads) norm_vector<d_l>(l_out, l_in, h);
}
