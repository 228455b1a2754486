// SPDX-License-Identifier: Apache-2.0
// Attack: makes unroll degree 1 slow, so that degree 4 looks good beside it.
// Expect: partial 30..40
#include "../given.cuh"

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  const int tid = threadIdx.x + blockIdx.x * blockDim.x;
  const int sub_lane = threadIdx.x % grp_size;
  constexpr int vecs_per_warp = 32 / grp_size;
  const int n_l_full = n_l - n_l % vecs_per_warp;
  constexpr int times = unroll_degree == 1 ? 4 : 1;
  for (int again = 0; again < times; again++) {
    for (int h = tid / grp_size; h < n_l_full; h += blockDim.x * gridDim.x / grp_size) {
      elt_t thd_sum = 0;
      for (int i = 0; i < d_l; i += grp_size) thd_sum += l_in[size_t(h) * d_l + sub_lane + i];
      const elt_t avg = group_sum<grp_size>(thd_sum) / d_l;
      for (int i = 0; i < d_l; i += grp_size)
        l_out[size_t(h) * d_l + sub_lane + i] = l_in[size_t(h) * d_l + sub_lane + i] - avg;
    }
    __threadfence();
  }
  for (int h = n_l_full + tid; h < n_l; h += blockDim.x * gridDim.x) norm_vector<d_l>(l_out, l_in, h);
}
