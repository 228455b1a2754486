// SPDX-License-Identifier: Apache-2.0
// Attack: lanes exchange through shared memory with no __syncwarp, but only in the one warp of a large
// launch that has the last turn: a race that lockstep hides, in one warp of hundreds.
// Expect: fail|partial|student_error 0..45
// Expect gpu: pass|partial|fail|student_error 0..100
#include "../given.cuh"

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  constexpr int vecs_per_warp = 32 / grp_size, vecs_per_iter = vecs_per_warp * unroll_degree;
  const int warps = gridDim.x * blockDim.x / 32, turns = n_l / vecs_per_iter;
  if (warps < 64 || n_l < 8000) {
    solved<d_l, grp_size, unroll_degree>(l_out, l_in, n_l);
    return;
  }
  __shared__ elt_t mine[1024];
  const int tid = threadIdx.x + blockIdx.x * blockDim.x;
  const int first = threadIdx.x % 32 / grp_size, sub_lane = threadIdx.x % grp_size;
  for (int hi = tid / 32 * vecs_per_iter + first; hi < (turns - 1) * vecs_per_iter; hi += warps * vecs_per_iter) {
    const size_t at = size_t(hi) * d_l + sub_lane;
    elt_t sum[unroll_degree]{};
    for (int j = 0; j < unroll_degree; j++)
      for (int i = 0; i < d_l; i += grp_size) sum[j] += l_in[at + j * vecs_per_warp * d_l + i];
    for (int j = 0; j < unroll_degree; j++) sum[j] = group_sum<grp_size>(sum[j]) / d_l;
    for (int j = 0; j < unroll_degree; j++)
      for (int i = 0; i < d_l; i += grp_size)
        l_out[at + j * vecs_per_warp * d_l + i] = l_in[at + j * vecs_per_warp * d_l + i] - sum[j];
  }
  if (tid / 32 == (turns - 1) % warps) {
#pragma unroll 1
    for (int h = (turns - 1) * vecs_per_iter + first; h < turns * vecs_per_iter; h += vecs_per_warp) {
      elt_t sum = 0;
      for (int i = sub_lane; i < d_l; i += grp_size) sum += l_in[size_t(h) * d_l + i];
      for (int dist = grp_size / 2; dist > 0; dist /= 2) {
        mine[threadIdx.x] = sum;
        sum += mine[threadIdx.x ^ dist];
      }
      for (int i = sub_lane; i < d_l; i += grp_size)
        l_out[size_t(h) * d_l + i] = l_in[size_t(h) * d_l + i] - sum / d_l;
    }
  }
  for (int h = turns * vecs_per_iter + tid; h < n_l; h += gridDim.x * blockDim.x) norm_vector<d_l>(l_out, l_in, h);
}
