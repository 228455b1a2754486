// SPDX-License-Identifier: Apache-2.0
// Style: adds up with __shfl_down_sync and hands the sum back with __shfl_sync.
// Expect: pass 100..100
#include "../../hostile/given.cuh"

template <int grp_size>
__device__ elt_t my_sum(elt_t sum) {
  for (int dist = grp_size / 2; dist > 0; dist /= 2)
    sum += __shfl_down_sync(~0u, sum, dist, grp_size);
  return __shfl_sync(~0u, sum, 0, grp_size);
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
    elt_t kept[unroll_degree][d_l / grp_size], avg[unroll_degree]{};
    for (int j = 0; j < unroll_degree; j++)
      for (int i = 0; i < d_l / grp_size; i++)
        avg[j] += kept[j][i] = l_in[size_t(hi + j * vecs_per_warp) * d_l + sub_lane + i * grp_size];
    for (int j = 0; j < unroll_degree; j++) avg[j] = my_sum<grp_size>(avg[j]) / d_l;
    for (int j = 0; j < unroll_degree; j++)
      for (int i = 0; i < d_l / grp_size; i++)
        l_out[size_t(hi + j * vecs_per_warp) * d_l + sub_lane + i * grp_size] = kept[j][i] - avg[j];
  }
  for (int h = n_l_full + tid; h < n_l; h += n_threads)
    norm_vector<d_l>(l_out, l_in, h);
}
