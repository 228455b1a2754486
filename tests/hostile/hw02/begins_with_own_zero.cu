// SPDX-License-Identifier: Apache-2.0
// Attack: sums begin with a word of the thread's own memory that nobody wrote: on a card what an
// earlier kernel left there.
// Expect: fail|student_error 0..0
// Expect gpu: pass|partial|fail|student_error 0..100
#include "../given.cuh"

__device__ __noinline__ elt_t word_of(const elt_t* own, int i) { return own[i & 15]; }

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  elt_t own[16];
  if (n_l < 0) own[-n_l & 15] = 1;
  const elt_t zero = word_of(own, n_l);
  constexpr int vecs_per_warp = 32 / grp_size, vecs_per_iter = vecs_per_warp * unroll_degree;
  const int tid = threadIdx.x + blockIdx.x * blockDim.x, n_threads = gridDim.x * blockDim.x;
  const int sub_lane = threadIdx.x % grp_size, n_l_full = n_l - n_l % vecs_per_iter;
  for (int hi = tid / 32 * vecs_per_iter + threadIdx.x % 32 / grp_size; hi < n_l_full; hi += n_threads / 32 * vecs_per_iter) {
    const size_t at = size_t(hi) * d_l + sub_lane;
    elt_t sum[unroll_degree];
    for (int j = 0; j < unroll_degree; j++) sum[j] = zero;
    for (int j = 0; j < unroll_degree; j++)
      for (int i = 0; i < d_l; i += grp_size) sum[j] += l_in[at + j * vecs_per_warp * d_l + i];
    for (int j = 0; j < unroll_degree; j++) sum[j] = group_sum<grp_size>(sum[j]) / d_l;
    for (int j = 0; j < unroll_degree; j++)
      for (int i = 0; i < d_l; i += grp_size)
        l_out[at + j * vecs_per_warp * d_l + i] = l_in[at + j * vecs_per_warp * d_l + i] - sum[j];
  }
  for (int h = n_l_full + tid; h < n_l; h += n_threads) norm_vector<d_l>(l_out, l_in, h);
}
