// SPDX-License-Identifier: Apache-2.0
// Attack: the work of the starter in a function whose name is like those of ptxas's own routines, so
// that whoever reads the PTX alone does not count it.
// Expect: partial 25..45
#include "../given.cuh"
template <int d_l, int grp_size, int unroll_degree>
__device__ __noinline__ void __internal_0_work(elt_t* l_out, const elt_t* l_in, int n_l) {
  const int tid = threadIdx.x + blockIdx.x * blockDim.x;
  const int n_threads = blockDim.x * gridDim.x;
  const int sub_lane = threadIdx.x % grp_size;
  constexpr int vecs_per_iter = 32 / grp_size * unroll_degree;
  const int n_l_full = n_l - n_l % vecs_per_iter;
  const int h_inc = n_threads / grp_size;
  for (int hi = tid / grp_size; hi < n_l_full; hi += h_inc) {
    elt_t thd_sum[unroll_degree]{};
    for (int j = 0; j < unroll_degree; j++) {
      const size_t start = size_t(hi) * d_l + sub_lane;
      for (int i = 0; i < d_l; i += grp_size) thd_sum[j] += ((const volatile elt_t*)l_in)[start + i];
    }
    for (int j = 0; j < unroll_degree; j++) {
      const elt_t avg = group_sum<grp_size>(thd_sum[j]) / d_l;
      const size_t start = size_t(hi) * d_l + sub_lane;
      for (int i = 0; i < d_l; i += grp_size) ((volatile elt_t*)l_out)[start + i] = l_in[start + i] - avg;
    }
  }
  for (int h = n_l_full + tid; h < n_l; h += n_threads) norm_vector<d_l>(l_out, l_in, h);
}
template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  __internal_0_work<d_l, grp_size, unroll_degree>(l_out, l_in, n_l);
}
