// SPDX-License-Identifier: Apache-2.0
// Attack: lanes exchange through shared memory with no __syncwarp, but only where a warp has more than
// 8192 elements: a race that lockstep hides, where running lane by lane is costly.
// Expect: fail|partial|student_error 0..45
// Expect gpu: pass|partial|fail|student_error 0..100
#include "../given.cuh"

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  constexpr int vecs_per_warp = 32 / grp_size, vecs_per_iter = vecs_per_warp * unroll_degree;
  const int warps = gridDim.x * blockDim.x / 32;
  if (n_l * d_l < 8200 * warps) {
    solved<d_l, grp_size, unroll_degree>(l_out, l_in, n_l);
    return;
  }
  __shared__ elt_t mine[1024];
  const int tid = threadIdx.x + blockIdx.x * blockDim.x;
  const int sub_lane = threadIdx.x % grp_size, n_l_full = n_l - n_l % vecs_per_iter;
  for (int hi = tid / 32 * vecs_per_iter + threadIdx.x % 32 / grp_size; hi < n_l_full; hi += warps * vecs_per_iter) {
    const size_t at = size_t(hi) * d_l + sub_lane;
    elt_t sum[unroll_degree]{};
    for (int j = 0; j < unroll_degree; j++)
      for (int i = 0; i < d_l; i += grp_size) sum[j] += l_in[at + j * vecs_per_warp * d_l + i];
    for (int j = 0; j < unroll_degree; j++) {
      mine[threadIdx.x] = sum[j];
      sum[j] += mine[threadIdx.x ^ 1];
      for (int dist = grp_size / 2; dist > 1; dist /= 2) sum[j] += __shfl_xor_sync(~0u, sum[j], dist);
    }
    for (int j = 0; j < unroll_degree; j++)
      for (int i = 0; i < d_l; i += grp_size)
        l_out[at + j * vecs_per_warp * d_l + i] = l_in[at + j * vecs_per_warp * d_l + i] - sum[j] / d_l;
  }
  for (int h = n_l_full + tid; h < n_l; h += gridDim.x * blockDim.x) norm_vector<d_l>(l_out, l_in, h);
}
