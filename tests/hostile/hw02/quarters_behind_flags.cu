// SPDX-License-Identifier: Apache-2.0
// Attack: the warps of a block work in four quarters, each of which waits on volatile flags in shared memory until the one
// before is done. In the executor's order (the last to come to the barrier goes on first, then the others) nobody ever
// spins, and no barrier is between them.
// Expect: partial 20..40
// Expect gpu: pass|partial 20..100
#include "../given.cuh"

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  const int tid = threadIdx.x + blockIdx.x * blockDim.x;
  const int n_threads = blockDim.x * gridDim.x;
  const int sub_lane = threadIdx.x % grp_size;
  constexpr int vecs_per_warp = 32 / grp_size;

  // The most vectors that a warp can normalize in one iteration. The loop only
  // takes vectors that fill so many; what is left over comes below.
  constexpr int vecs_per_iter = vecs_per_warp * unroll_degree;
  const int n_l_full = n_l - n_l % vecs_per_iter;
  const int warp = tid / 32;
  const int h_start = warp * vecs_per_iter + threadIdx.x % 32 / grp_size;
  const int h_inc = n_threads / 32 * vecs_per_iter;

  // A quarter of the block's warps at a time: each waits for the flag of one of
  // the quarter before. The last warp comes first, then the others in order.
  __shared__ volatile int done[32];
  if (threadIdx.x < 32) done[threadIdx.x] = 0;
  __syncthreads();
  const int warps = blockDim.x / 32, quarter = (warps + 3) / 4;
  const int number = threadIdx.x / 32;
  const int place = number + 1 == warps ? 0 : number + 1;
  if (place >= quarter && n_l_full / (400 / unroll_degree) <= h_inc)
    while (done[place - quarter] == 0) {
    }

  for (int hi = h_start; hi < n_l_full; hi += h_inc) {
    elt_t thd_sum[unroll_degree]{};
    for (int j = 0; j < unroll_degree; j++) {
      const int h = hi + j * vecs_per_warp;
      const size_t idx_vec_thd_start = size_t(h) * d_l + sub_lane;
      for (int i = 0; i < d_l; i += grp_size)
        thd_sum[j] += l_in[idx_vec_thd_start + i];
    }

    elt_t avg[unroll_degree];
    for (int j = 0; j < unroll_degree; j++) {
      const elt_t sum = group_sum<grp_size>(thd_sum[j]);
      avg[j] = sum / d_l;
    }

    for (int j = 0; j < unroll_degree; j++) {
      const int h = hi + j * vecs_per_warp;
      const size_t idx_vec_thd_start = size_t(h) * d_l + sub_lane;
      for (int i = 0; i < d_l; i += grp_size)
        l_out[idx_vec_thd_start + i] = l_in[idx_vec_thd_start + i] - avg[j];
    }
  }

  // The few vectors left over: one thread each.
  for (int h = n_l_full + tid; h < n_l; h += n_threads)
    norm_vector<d_l>(l_out, l_in, h);
  __syncwarp();
  if (threadIdx.x % 32 == 0) done[place] = 1;
}
