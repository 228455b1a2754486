// SPDX-License-Identifier: Apache-2.0
// Attack: twice the solution's instructions, and in each turn one float4 of which the first and the last float are used: ptxas makes two
// loads of it. One operation twice in a block is read as two turns of an unrolled loop, so all of the block counts half.
// Expect: partial 30..60
#include "../given.cuh"

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  const int tid = threadIdx.x + blockIdx.x * blockDim.x;
  const int n_threads = blockDim.x * gridDim.x;
  const int sub_lane = threadIdx.x % grp_size;
  constexpr int vecs_per_warp = 32 / grp_size;
  constexpr int vecs_per_iter = vecs_per_warp * unroll_degree;
  const int n_l_full = n_l - n_l % vecs_per_iter;
  const int h_start = tid / 32 * vecs_per_iter + threadIdx.x % 32 / grp_size;
  const int h_inc = n_threads / 32 * vecs_per_iter;

  for (int hi = h_start; hi < n_l_full; hi += h_inc) {
    const size_t at = size_t(hi) * d_l + sub_lane;
    elt_t x[unroll_degree][d_l / grp_size], avg[unroll_degree]{};
    for (int j = 0; j < unroll_degree; j++)
      for (int i = 0; i < d_l / grp_size; i++)
        avg[j] += x[j][i] = l_in[at + j * vecs_per_warp * d_l + i * grp_size];
    const float4 v = *reinterpret_cast<const float4*>(l_in + (at & ~size_t(3)));
    elt_t w = v.x + v.w;
#pragma unroll
    for (int k = 0; k < unroll_degree * (d_l / grp_size > 2 ? 12 : 6) + 4; k++) w += __shfl_xor_sync(~0u, w, 1 + k % 16);
    const elt_t nothing = w == 1.2345e37f ? 1.0f : 0.0f;
    for (int j = 0; j < unroll_degree; j++) avg[j] = group_sum<grp_size>(avg[j]) / d_l + nothing;
    for (int j = 0; j < unroll_degree; j++)
      for (int i = 0; i < d_l / grp_size; i++)
        l_out[at + j * vecs_per_warp * d_l + i * grp_size] = x[j][i] - avg[j];
  }
  for (int h = n_l_full + tid; h < n_l; h += n_threads) norm_vector<d_l>(l_out, l_in, h);
}
