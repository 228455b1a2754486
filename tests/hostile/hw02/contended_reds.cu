// SPDX-License-Identifier: Apache-2.0
// Attack: the solution, and for each 32 elements all lanes of a warp add a float to one word of the whole grid: 32 turns
// of one place in L2, where what is granted is a ticket, drawn by one lane; it counts as the same one sector.
// Expect: partial 25..40
#include "../given.cuh"

__device__ float sink;

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
    for (int j = 0; j < unroll_degree; j++) avg[j] = group_sum<grp_size>(avg[j]) / d_l;
    for (int j = 0; j < unroll_degree; j++)
      for (int i = 0; i < d_l / grp_size; i++) {
        l_out[at + j * vecs_per_warp * d_l + i * grp_size] = x[j][i] - avg[j];
        atomicAdd(&sink, x[j][i]);
      }
  }
  for (int h = n_l_full + tid; h < n_l; h += n_threads) norm_vector<d_l>(l_out, l_in, h);
}
