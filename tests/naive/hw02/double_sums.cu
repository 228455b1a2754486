// SPDX-License-Identifier: Apache-2.0
// Style: sums in double precision, which nobody asked for: twice the shuffles.
// Expect: partial 30..99
#include "../../hostile/given.cuh"

template <int grp_size>
__device__ double careful_sum(double x) {
  for (int dist = grp_size / 2; dist > 0; dist /= 2) x += __shfl_xor_sync(~0u, x, dist);
  return x;
}

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
    double avg[unroll_degree]{};
    for (int j = 0; j < unroll_degree; j++)
      for (int i = 0; i < d_l; i += grp_size) avg[j] += l_in[at + j * vecs_per_warp * d_l + i];
    for (int j = 0; j < unroll_degree; j++) avg[j] = careful_sum<grp_size>(avg[j]) / d_l;
    for (int j = 0; j < unroll_degree; j++)
      for (int i = 0; i < d_l; i += grp_size)
        l_out[at + j * vecs_per_warp * d_l + i] = elt_t(l_in[at + j * vecs_per_warp * d_l + i] - avg[j]);
  }
  for (int h = n_l_full + tid; h < n_l; h += n_threads) norm_vector<d_l>(l_out, l_in, h);
}
