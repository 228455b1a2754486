// SPDX-License-Identifier: Apache-2.0
// Style: copies by recursion over templates, with if constexpr.
// Expect: pass 100..100
#include "../../hostile/given.cuh"

template <int d_l, int grp_size, int left>
__device__ __forceinline__ void normalize(elt_t* out, const elt_t* in) {
  if constexpr (left == 1) {
    elt_t sum = 0;
    for (int i = 0; i < d_l; i += grp_size) sum += in[i];
    sum = group_sum<grp_size>(sum) / d_l;
    for (int i = 0; i < d_l; i += grp_size) out[i] = in[i] - sum;
  } else {
    constexpr int half = left / 2, apart = 32 / grp_size * d_l * half;
    normalize<d_l, grp_size, half>(out, in);
    normalize<d_l, grp_size, left - half>(out + apart, in + apart);
  }
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
    normalize<d_l, grp_size, unroll_degree>(l_out + at, l_in + at);
  }
  for (int h = n_l_full + tid; h < n_l; h += n_threads)
    norm_vector<d_l>(l_out, l_in, h);
}
