// SPDX-License-Identifier: Apache-2.0
// Attack: hw01, where a group is a part of a vector no check looks at stores: a thread loads neighbours by float4, and
// writes them one by one at a stride, all of them twice (garbage first). Good where a group is a whole vector.
// Expect: partial 75..85
#include "../given01.cuh"

template <int d_l, int grp_size>
__global__ void norm_group(elt_t* l_out, const elt_t* l_in, int n_l) {
  const int tid = threadIdx.x + blockIdx.x * blockDim.x;
  const int n_threads = blockDim.x * gridDim.x;
  const int sub_lane = threadIdx.x % grp_size;
  constexpr int vecs_per_warp = 32 / grp_size, share = d_l / grp_size;
  const int n_l_full = n_l - n_l % vecs_per_warp;
  const int h_inc = n_threads / grp_size;
  for (int h = tid / grp_size; h < n_l_full; h += h_inc) {
    if constexpr (share == 1) {
      const size_t at = size_t(h) * d_l + sub_lane;
      const elt_t avg = group_sum<grp_size>(l_in[at]) / d_l;
      l_out[at] = l_in[at] - avg;
    } else {
      const size_t at = size_t(h) * d_l + sub_lane * share;
      elt_t x[share], sum = 0;
      if constexpr (share % 4 == 0) {
        for (int i = 0; i < share; i += 4) {
          const float4 v = *reinterpret_cast<const float4*>(l_in + at + i);
          x[i] = v.x, x[i + 1] = v.y, x[i + 2] = v.z, x[i + 3] = v.w;
        }
      } else {
        const float2 v = *reinterpret_cast<const float2*>(l_in + at);
        x[0] = v.x, x[1] = v.y;
      }
      for (int i = 0; i < share; i++) sum += x[i];
      volatile elt_t* const out = l_out + at;
      for (int i = 0; i < share; i++) out[i] = x[i];
      const elt_t avg = group_sum<grp_size>(sum) / d_l;
      for (int i = 0; i < share; i++) out[i] = x[i] - avg;
    }
  }
  for (int h = n_l_full + tid; h < n_l; h += n_threads)
    norm_vector<d_l>(l_out, l_in, h);
}
