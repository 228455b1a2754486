// SPDX-License-Identifier: Apache-2.0
// Style: cooperative groups with their own reduction.
// Expect: pass 100..100
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

using elt_t = float;

// One thread normalizes vector h by itself.
template <int d_l>
__device__ void norm_vector(elt_t* l_out, const elt_t* l_in, int h) {
  const size_t idx_vec_start = size_t(h) * d_l;
  elt_t sum = 0;
  for (int i = 0; i < d_l; i++) sum += l_in[idx_vec_start + i];
  const elt_t avg = sum / d_l;
  for (int i = 0; i < d_l; i++)
    l_out[idx_vec_start + i] = l_in[idx_vec_start + i] - avg;
}

// One thread a vector. For comparison: do not edit.
template <int d_l>
__global__ void norm_base(elt_t* l_out, const elt_t* l_in, int n_l) {
  const int tid = threadIdx.x + blockIdx.x * blockDim.x;
  const int n_threads = blockDim.x * gridDim.x;
  for (int h = tid; h < n_l; h += n_threads)
    norm_vector<d_l>(l_out, l_in, h);
}

namespace cg = cooperative_groups;

template <int grp_size>
__device__ elt_t group_sum(elt_t thd_sum) {
  const auto group = cg::tiled_partition<grp_size>(cg::this_thread_block());
  return cg::reduce(group, thd_sum, cg::plus<elt_t>{});
}

template <int d_l, int grp_size>
__global__ void norm_group(elt_t* l_out, const elt_t* l_in, int n_l) {
  const int tid = threadIdx.x + blockIdx.x * blockDim.x;
  const int n_threads = blockDim.x * gridDim.x;
  const int sub_lane = threadIdx.x % grp_size;
  constexpr int vecs_per_warp = 32 / grp_size;
  const int n_l_full = n_l - n_l % vecs_per_warp;
  for (int h = tid / grp_size; h < n_l_full; h += n_threads / grp_size) {
    const size_t start = size_t(h) * d_l + sub_lane;
    elt_t thd_sum = 0;
    for (int i = 0; i < d_l; i += grp_size) thd_sum += l_in[start + i];
    const elt_t avg = group_sum<grp_size>(thd_sum) / d_l;
    for (int i = 0; i < d_l; i += grp_size) l_out[start + i] = l_in[start + i] - avg;
  }
  for (int h = n_l_full + tid; h < n_l; h += n_threads) norm_vector<d_l>(l_out, l_in, h);
}
