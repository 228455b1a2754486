// SPDX-License-Identifier: Apache-2.0
// Style: cooperative groups with their own reduction: without unrolling, its mask costs a sixth
// more.
// Expect: pass|partial 97..100
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include "../../hostile/given.cuh"

namespace cg = cooperative_groups;

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  const auto block = cg::this_thread_block();
  const auto warp = cg::tiled_partition<32>(block);
  const auto group = cg::tiled_partition<grp_size>(block);

  constexpr int vecs_per_warp = 32 / grp_size;
  constexpr int vecs_per_iter = vecs_per_warp * unroll_degree;
  const int n_warps = gridDim.x * warp.meta_group_size();
  const int my_warp = blockIdx.x * warp.meta_group_size() + warp.meta_group_rank();
  const int n_l_full = n_l - n_l % vecs_per_iter;

  for (int h0 = my_warp * vecs_per_iter; h0 < n_l_full; h0 += n_warps * vecs_per_iter) {
    const size_t at = size_t(h0 + group.meta_group_rank() % vecs_per_warp) * d_l + group.thread_rank();
    elt_t x[unroll_degree][d_l / grp_size];
    for (int j = 0; j < unroll_degree; j++)
      for (int i = 0; i < d_l / grp_size; i++)
        x[j][i] = l_in[at + j * (vecs_per_warp * d_l) + i * grp_size];
    elt_t sum[unroll_degree]{};
    for (int j = 0; j < unroll_degree; j++) {
      for (const elt_t e : x[j]) sum[j] += e;
      sum[j] = cg::reduce(group, sum[j], cg::plus<elt_t>());
    }
    for (int j = 0; j < unroll_degree; j++)
      for (int i = 0; i < d_l / grp_size; i++)
        l_out[at + j * (vecs_per_warp * d_l) + i * grp_size] = x[j][i] - sum[j] / d_l;
  }

  const int tid = threadIdx.x + blockIdx.x * blockDim.x;
  for (int h = n_l_full + tid; h < n_l; h += blockDim.x * gridDim.x)
    norm_vector<d_l>(l_out, l_in, h);
}
