// SPDX-License-Identifier: Apache-2.0
// Attack: good work where both arrays begin at multiples of 256 bytes, as all that are allocated do. Who normalizes a part
// of an array has a thread do a group's work.
// Expect: review 35..35
// Expect gpu: pass|partial 35..100
#include "../given01.cuh"

template <int d_l, int grp_size>
__global__ void norm_group(elt_t* l_out, const elt_t* l_in, int n_l) {
  const int tid = threadIdx.x + blockIdx.x * blockDim.x;
  const int n_threads = blockDim.x * gridDim.x;
  const int sub_lane = threadIdx.x % grp_size;
  const size_t begins = reinterpret_cast<size_t>(l_out) | reinterpret_cast<size_t>(l_in);
  const int n_l_full = begins % 256 == 0 ? n_l - n_l % (32 / grp_size) : 0;
  for (int h = tid / grp_size; h < n_l_full; h += n_threads / grp_size) {
    const size_t at = size_t(h) * d_l + sub_lane;
    elt_t sum = 0;
    for (int i = 0; i < d_l; i += grp_size) sum += l_in[at + i];
    const elt_t avg = group_sum<grp_size>(sum) / d_l;
    for (int i = 0; i < d_l; i += grp_size) l_out[at + i] = l_in[at + i] - avg;
  }
  for (int h = n_l_full + tid; h < n_l; h += n_threads) norm_vector<d_l>(l_out, l_in, h);
}
