// SPDX-License-Identifier: Apache-2.0
// Style: does not unroll at all (norm_group again, for every degree), and hopes that what the limits allow a warp
// covers it where there are many warps.
// Expect: partial 30..60
#include "../../hostile/given.cuh"

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  const int tid = threadIdx.x + blockIdx.x * blockDim.x;
  const int n_threads = blockDim.x * gridDim.x;
  const int sub_lane = threadIdx.x % grp_size;
  constexpr int vecs_per_warp = 32 / grp_size;
  const int n_l_full = n_l - n_l % vecs_per_warp;
#pragma unroll 1
  for (int h = tid / grp_size; h < n_l_full; h += n_threads / grp_size) {
    const size_t at = size_t(h) * d_l + sub_lane;
    elt_t x[d_l / grp_size], sum = 0;
    for (int i = 0; i < d_l / grp_size; i++) sum += x[i] = l_in[at + i * grp_size];
    const elt_t avg = group_sum<grp_size>(sum) / d_l;
    for (int i = 0; i < d_l / grp_size; i++) l_out[at + i * grp_size] = x[i] - avg;
  }
  for (int h = n_l_full + tid; h < n_l; h += n_threads) norm_vector<d_l>(l_out, l_in, h);
}
