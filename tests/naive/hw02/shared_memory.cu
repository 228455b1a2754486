// SPDX-License-Identifier: Apache-2.0
// Style: a warp adds up in shared memory instead of by shuffles: right, and more instructions.
// Expect: partial 30..95
#include "../../hostile/given.cuh"

template <int d_l, int grp_size, int unroll_degree>
__global__ void __launch_bounds__(1024) norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  __shared__ elt_t parts[32][unroll_degree][32];  // warp, copy, lane
  const int tid = threadIdx.x + blockIdx.x * blockDim.x;
  const int n_threads = blockDim.x * gridDim.x;
  const int lane = threadIdx.x % 32, sub_lane = lane % grp_size;
  constexpr int vecs_per_warp = 32 / grp_size;
  constexpr int vecs_per_iter = vecs_per_warp * unroll_degree;
  const int n_l_full = n_l - n_l % vecs_per_iter;
  const int h_start = tid / 32 * vecs_per_iter + lane / grp_size;
  const int h_inc = n_threads / 32 * vecs_per_iter;
  elt_t(&mine)[unroll_degree][32] = parts[threadIdx.x / 32];
  for (int hi = h_start; hi < n_l_full; hi += h_inc) {
    const size_t at = size_t(hi) * d_l + sub_lane;
    elt_t x[unroll_degree][d_l / grp_size];
    for (int j = 0; j < unroll_degree; j++) {
      elt_t sum = 0;
      for (int i = 0; i < d_l / grp_size; i++)
        sum += x[j][i] = l_in[at + j * vecs_per_warp * d_l + i * grp_size];
      mine[j][lane] = sum;
    }
    __syncwarp();
    for (int j = 0; j < unroll_degree; j++) {
      elt_t sum = 0;
      for (int k = 0; k < grp_size; k++) sum += mine[j][lane - sub_lane + k];
      for (int i = 0; i < d_l / grp_size; i++)
        l_out[at + j * vecs_per_warp * d_l + i * grp_size] = x[j][i] - sum / d_l;
    }
    __syncwarp();
  }
  for (int h = n_l_full + tid; h < n_l; h += n_threads) norm_vector<d_l>(l_out, l_in, h);
}
