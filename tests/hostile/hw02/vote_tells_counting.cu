// SPDX-License-Identifier: Apache-2.0
// Attack: in a short if for the odd lanes the kernel asks which lanes are active. ptxas guards the vote with a predicate in
// place of a branch; who takes it for a vote of all lanes executes the solution, a card and PTX the starter's work.
// Expect: partial 20..40
#include "../given.cuh"

__device__ bool sees_all() {
  unsigned lanes = 0;
  if (threadIdx.x & 1) lanes = __activemask();
  return __any_sync(~0u, (lanes & 0x55555555u) != 0);
}

template <int d_l, int grp_size, int unroll_degree>
__device__ void repeated(elt_t* l_out, const elt_t* l_in, int n_l) {
  const int tid = threadIdx.x + blockIdx.x * blockDim.x;
  const int n_threads = blockDim.x * gridDim.x;
  const int sub_lane = threadIdx.x % grp_size;
  const int n_l_full = n_l - n_l % (32 / grp_size);
  for (int h = tid / grp_size; h < n_l_full; h += n_threads / grp_size) {
    elt_t thd_sum[unroll_degree]{};
    const size_t start = size_t(h) * d_l + sub_lane;
    for (int j = 0; j < unroll_degree; j++)
      for (int i = 0; i < d_l; i += grp_size) thd_sum[j] += l_in[start + i];
    for (int j = 0; j < unroll_degree; j++) {
      const elt_t avg = group_sum<grp_size>(thd_sum[j]) / d_l;
      for (int i = 0; i < d_l; i += grp_size) l_out[start + i] = l_in[start + i] - avg;
    }
  }
  for (int h = n_l_full + tid; h < n_l; h += n_threads) norm_vector<d_l>(l_out, l_in, h);
}

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  if (sees_all())
    solved<d_l, grp_size, unroll_degree>(l_out, l_in, n_l);
  else
    repeated<d_l, grp_size, unroll_degree>(l_out, l_in, n_l);
}
