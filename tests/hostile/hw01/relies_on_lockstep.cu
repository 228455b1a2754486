// SPDX-License-Identifier: Apache-2.0
// Attack: hw01, of which neighbouring lanes exchange their sums through shared memory with no __syncwarp between writing
// and reading, nor before writing again: a race of lanes, right only where a warp runs in lockstep, as the emulator does.
// Expect: partial|fail 0..40
// Expect gpu: pass|partial|fail 0..100
#include "../given01.cuh"

template <int d_l, int grp_size>
__global__ void norm_group(elt_t* l_out, const elt_t* l_in, int n_l) {
  __shared__ elt_t box[1024];
  const int tid = threadIdx.x + blockIdx.x * blockDim.x;
  const int n_threads = blockDim.x * gridDim.x;
  const int sub_lane = threadIdx.x % grp_size;
  constexpr int vecs_per_warp = 32 / grp_size;
  const int n_l_full = n_l - n_l % vecs_per_warp;
  const int h_inc = n_threads / grp_size;
  for (int h = tid / grp_size; h < n_l_full; h += h_inc) {
    const size_t at = size_t(h) * d_l + sub_lane;
    elt_t sum = 0;
    for (int i = 0; i < d_l; i += grp_size) sum += l_in[at + i];
    for (int dist = grp_size / 2; dist > 1; dist /= 2) sum += __shfl_xor_sync(~0u, sum, dist);
    box[threadIdx.x] = sum;
    sum += box[threadIdx.x ^ 1];
    const elt_t avg = sum / d_l;
    for (int i = 0; i < d_l; i += grp_size) l_out[at + i] = l_in[at + i] - avg;
  }
  for (int h = n_l_full + tid; h < n_l; h += n_threads) norm_vector<d_l>(l_out, l_in, h);
}
