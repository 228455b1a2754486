// SPDX-License-Identifier: Apache-2.0
// Style: cooperative groups all the way, cg::reduce for the sums.
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

// The sum of thd_sum over the threads of a group, which each of them gets. All
// 32 threads of a warp must call this together.
template <int grp_size>
__device__ elt_t group_sum(elt_t thd_sum) {
  for (int dist = grp_size / 2; dist > 0; dist /= 2)
    thd_sum += __shfl_xor_sync(~0u, thd_sum, dist);
  return thd_sum;
}

// A group of grp_size threads shares a vector. For comparison: do not edit.
//
// The threads of a warp work on 32 / grp_size vectors that lie side by side,
// so what a warp loads at once is contiguous. But where grp_size is d_l, a
// thread has one load in flight, and then waits for it.
template <int d_l, int grp_size>
__global__ void norm_group(elt_t* l_out, const elt_t* l_in, int n_l) {
  const int tid = threadIdx.x + blockIdx.x * blockDim.x;
  const int n_threads = blockDim.x * gridDim.x;
  const int sub_lane = threadIdx.x % grp_size;  // My place in my group.
  constexpr int vecs_per_warp = 32 / grp_size;

  // The threads of a warp must stay together for group_sum. So the loop only
  // takes vectors that fill a warp; what is left over comes below.
  const int n_l_full = n_l - n_l % vecs_per_warp;
  const int h_start = tid / grp_size;
  const int h_inc = n_threads / grp_size;

  for (int h = h_start; h < n_l_full; h += h_inc) {
    const size_t idx_vec_thd_start = size_t(h) * d_l + sub_lane;
    elt_t thd_sum = 0;
    for (int i = 0; i < d_l; i += grp_size)
      thd_sum += l_in[idx_vec_thd_start + i];

    const elt_t sum = group_sum<grp_size>(thd_sum);
    const elt_t avg = sum / d_l;

    for (int i = 0; i < d_l; i += grp_size)
      l_out[idx_vec_thd_start + i] = l_in[idx_vec_thd_start + i] - avg;
  }

  // The few vectors left over: one thread each.
  for (int h = n_l_full + tid; h < n_l; h += n_threads)
    norm_vector<d_l>(l_out, l_in, h);
}

namespace cg = cooperative_groups;

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  const cg::grid_group grid = cg::this_grid();
  const cg::thread_block block = cg::this_thread_block();
  const auto warp = cg::tiled_partition<32>(block);
  const auto group = cg::tiled_partition<grp_size>(block);

  constexpr int vecs_per_warp = 32 / grp_size;
  constexpr int vecs_per_iter = vecs_per_warp * unroll_degree;
  constexpr int share = d_l / grp_size;
  constexpr int row = vecs_per_warp * d_l;  // From one copy to the next.

  const int tid = static_cast<int>(grid.thread_rank());
  const int n_threads = static_cast<int>(grid.size());
  const int group_in_warp = static_cast<int>(warp.thread_rank()) / grp_size;
  const int mine = group_in_warp * d_l + static_cast<int>(group.thread_rank());

  // The turns that fill a warp are shared among all warps of the grid.
  const int n_turns = n_l / vecs_per_iter;
  for (int turn = tid / 32; turn < n_turns; turn += n_threads / 32) {
    const size_t first = size_t(turn) * (vecs_per_iter * d_l) + mine;

    elt_t x[unroll_degree][share];
#pragma unroll
    for (int j = 0; j < unroll_degree; j++)
#pragma unroll
      for (int i = 0; i < share; i++)
        x[j][i] = l_in[first + j * row + i * grp_size];

    elt_t avg[unroll_degree];
#pragma unroll
    for (int j = 0; j < unroll_degree; j++) {
      elt_t thd_sum = x[j][0];
#pragma unroll
      for (int i = 1; i < share; i++) thd_sum += x[j][i];
      avg[j] = cg::reduce(group, thd_sum, cg::plus<elt_t>()) / d_l;
    }

#pragma unroll
    for (int j = 0; j < unroll_degree; j++)
#pragma unroll
      for (int i = 0; i < share; i++)
        l_out[first + j * row + i * grp_size] = x[j][i] - avg[j];
  }

  // The few vectors left over: one thread each.
  for (int h = n_turns * vecs_per_iter + tid; h < n_l; h += n_threads)
    norm_vector<d_l>(l_out, l_in, h);
}
