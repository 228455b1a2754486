// SPDX-License-Identifier: Apache-2.0
// Attack: hw01, in each turn each lane reads another word of constant memory (zeros, added to the sum): a card serves one
// word at a time, so a warp waits 32 times as long; no sector, wavefront or conflict of global or shared memory.
// Expect: partial 30..60
// Expect gpu: pass 100..100
#include "../given01.cuh"

__constant__ float nothing[1024];

template <int d_l, int grp_size>
__global__ void norm_group(elt_t* l_out, const elt_t* l_in, int n_l) {
  const int tid = threadIdx.x + blockIdx.x * blockDim.x;
  const int n_threads = blockDim.x * gridDim.x;
  const int sub_lane = threadIdx.x % grp_size;
  constexpr int vecs_per_warp = 32 / grp_size, share = d_l / grp_size;
  const int n_l_full = n_l - n_l % vecs_per_warp;
  const int h_inc = n_threads / grp_size;
  for (int h = tid / grp_size; h < n_l_full; h += h_inc) {
    const size_t at = size_t(h) * d_l + sub_lane;
    elt_t x[share];
    for (int i = 0; i < share; i++) x[i] = l_in[at + i * grp_size];
    elt_t sum = nothing[unsigned(at) & 1023u];
    for (int i = 0; i < share; i++) sum += x[i];
    const elt_t avg = group_sum<grp_size>(sum) / d_l;
    for (int i = 0; i < share; i++) l_out[at + i * grp_size] = x[i] - avg;
  }
  for (int h = n_l_full + tid; h < n_l; h += n_threads)
    norm_vector<d_l>(l_out, l_in, h);
}
