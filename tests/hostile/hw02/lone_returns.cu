// SPDX-License-Identifier: Apache-2.0
// Attack: the starter's work in a file with lone carriage returns in comments: who counts them as ends of lines shows the wrong line as the costly one.
// Expect: partial 25..45
/* one two three four five six seven */
#include "../given.cuh"
template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  const int tid = threadIdx.x + blockIdx.x * blockDim.x;
  const int n_threads = blockDim.x * gridDim.x;
  const int sub_lane = threadIdx.x % grp_size;
  constexpr int vecs_per_iter = 32 / grp_size * unroll_degree;
  const int n_l_full = n_l - n_l % vecs_per_iter;
  for (int h = tid / grp_size; h < n_l_full; h += n_threads / grp_size) {
    const size_t at = size_t(h) * d_l + sub_lane;
    elt_t avg[unroll_degree];
    for (int j = 0; j < unroll_degree; j++) {
      elt_t sum = 0;
      for (int i = 0; i < d_l; i += grp_size) sum += l_in[at + i];
      avg[j] = group_sum<grp_size>(sum) / d_l;
    }
    for (int j = 0; j < unroll_degree; j++)
      for (int i = 0; i < d_l; i += grp_size) l_out[at + i] = l_in[at + i] - avg[j];
  }
  for (int h = n_l_full + tid; h < n_l; h += n_threads) norm_vector<d_l>(l_out, l_in, h);
}
