// SPDX-License-Identifier: Apache-2.0
// Attack: where there are more vectors than are graded, a loop has a thread do each of all but an eighth of them, and again.
// Its one question comes first in each turn: told to go on it would never end, so it goes on once.
// Expect: review|partial 35..35
// Expect gpu: pass|partial 35..100
#include "../given01.cuh"

template <int d_l, int grp_size>
__global__ void norm_group(elt_t* l_out, const elt_t* l_in, int n_l) {
  const int tid = threadIdx.x + blockIdx.x * blockDim.x;
  const int n_threads = blockDim.x * gridDim.x;
#pragma unroll 1
  for (;;) {
    __syncwarp();
    if (n_l <= 1000000) break;
    const int less = n_l / 8;
    for (int h = max(less, 64) + tid; h < n_l; h += n_threads) norm_vector<d_l>(l_out, l_in, h);
    n_l = less;
  }
  const int n_l_full = n_l - n_l % (32 / grp_size);
  norm_by_groups<d_l, grp_size>(l_out, l_in, n_l, n_l_full);
}
