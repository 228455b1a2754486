// SPDX-License-Identifier: Apache-2.0
// Style: cub::WarpReduce over a part of a warp: its checks of who is in the part cost half as much
// again.
// Expect: partial 50..99
#include <cub/warp/warp_reduce.cuh>

#include "../../hostile/given.cuh"

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  using Reduce = cub::WarpReduce<elt_t, grp_size>;
  typename Reduce::TempStorage nothing;  // It reduces by shuffles, and needs none.
  const int tid = threadIdx.x + blockIdx.x * blockDim.x;
  const int n_threads = blockDim.x * gridDim.x;
  constexpr int vecs_per_warp = 32 / grp_size;
  constexpr int vecs_per_iter = vecs_per_warp * unroll_degree;
  const int n_l_full = n_l - n_l % vecs_per_iter;
  const int h_start = tid / 32 * vecs_per_iter + threadIdx.x % 32 / grp_size;
  const int h_inc = n_threads / 32 * vecs_per_iter;

  for (int hi = h_start; hi < n_l_full; hi += h_inc) {
    const size_t at = size_t(hi) * d_l + threadIdx.x % grp_size;
    elt_t x[unroll_degree][d_l / grp_size], sum[unroll_degree]{};
    for (int j = 0; j < unroll_degree; j++)
      for (int i = 0; i < d_l / grp_size; i++)
        sum[j] += x[j][i] = l_in[at + j * vecs_per_warp * d_l + i * grp_size];
    for (int j = 0; j < unroll_degree; j++)
      sum[j] = __shfl_sync(~0u, Reduce(nothing).Sum(sum[j]), 0, grp_size);
    for (int j = 0; j < unroll_degree; j++)
      for (int i = 0; i < d_l / grp_size; i++)
        l_out[at + j * vecs_per_warp * d_l + i * grp_size] = x[j][i] - sum[j] / d_l;
  }
  for (int h = n_l_full + tid; h < n_l; h += n_threads) norm_vector<d_l>(l_out, l_in, h);
}
