// SPDX-License-Identifier: Apache-2.0
// Attack: at the sizes of a plain ./hw01 one thread does a group's work. Where a launch is merely tried, arrays hold one
// number throughout, which a vote tells: then that code is not come to, whatever the size is.
// Expect: review|partial 30..60
// Expect gpu: partial|pass 30..100
#include "../given01.cuh"

template <int d_l, int grp_size>
__device__ __forceinline__ elt_t norm_turn(elt_t* l_out, const elt_t* l_in, int h, int sub_lane) {
  const size_t at = size_t(h) * d_l + sub_lane;
  const elt_t first = l_in[at];
  elt_t sum = 0;
  for (int i = 0; i < d_l; i += grp_size) sum += l_in[at + i];
  const elt_t avg = group_sum<grp_size>(sum) / d_l;
  for (int i = 0; i < d_l; i += grp_size) l_out[at + i] = l_in[at + i] - avg;
  return first;
}

template <int d_l, int grp_size>
__global__ void norm_group(elt_t* l_out, const elt_t* l_in, int n_l) {
  const int tid = threadIdx.x + blockIdx.x * blockDim.x;
  const int n_threads = blockDim.x * gridDim.x;
  const int sub_lane = threadIdx.x % grp_size;
  constexpr int vecs_per_warp = 32 / grp_size;
  constexpr unsigned plain = 132 * 1024 * 8 / d_l;
  const int n_l_full = n_l - n_l % vecs_per_warp, h_inc = n_threads / grp_size;
  int h = tid / grp_size;
  if (h < n_l_full) {  // for a whole warp or for none of it
    const elt_t mine = norm_turn<d_l, grp_size>(l_out, l_in, h, sub_lane);
    const unsigned differ = __ballot_sync(~0u, mine != __shfl_xor_sync(~0u, mine, 1));
    const unsigned size = unsigned(n_l) + (differ == 0 ? 1u << 30 : 0u);
    for (h += h_inc; h < n_l_full; h += h_inc)
      if (size != plain)
        norm_turn<d_l, grp_size>(l_out, l_in, h, sub_lane);
      else if (sub_lane == 0)
        norm_vector<d_l>(l_out, l_in, h);
  }
  for (h = n_l_full + tid; h < n_l; h += n_threads) norm_vector<d_l>(l_out, l_in, h);
}
