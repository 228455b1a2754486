// SPDX-License-Identifier: Apache-2.0
// Style: where d_l is 8, a warp stages 32 vectors in its own tile of shared memory (swizzled, so
// no conflicts), a lane adds up one vector, and the averages go back by shared memory; elements stay in registers.
// Eight loads are in flight. Elsewhere the intended answer.
// Expect: pass 100..100
#include "../../hostile/given.cuh"

template <int d_l, int grp_size, int unroll_degree>
__global__ void __launch_bounds__(1024) norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  if constexpr (d_l != 8) {
    solved<d_l, grp_size, unroll_degree>(l_out, l_in, n_l);
  } else {
    __shared__ elt_t tiles[32][32 * 8];
    __shared__ elt_t averages[32][32];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    elt_t* const tile = tiles[warp];
    elt_t* const average = averages[warp];
    const int tid = threadIdx.x + blockIdx.x * blockDim.x;
    const int n_threads = blockDim.x * gridDim.x;
    const int n_l_full = n_l - n_l % 32;
    for (int h = tid - lane; h < n_l_full; h += n_threads) {
      const size_t at = size_t(h) * 8 + lane;
      elt_t x[8];
      for (int k = 0; k < 8; k++) x[k] = l_in[at + 32 * k];
      // Element i of vector v lies at 8 v + (i ^ v / 4); x[k] is element lane % 8 of vector 4 k + lane / 8.
      for (int k = 0; k < 8; k++) tile[32 * k + (lane ^ k)] = x[k];
      __syncwarp();
      elt_t sum = 0;
      for (int i = 0; i < 8; i++) sum += tile[8 * lane + (i ^ lane / 4)];
      average[lane] = sum / 8;
      __syncwarp();
      for (int k = 0; k < 8; k++) l_out[at + 32 * k] = x[k] - average[4 * k + lane / 8];
    }
    for (int h = n_l_full + tid; h < n_l; h += n_threads) norm_vector<8>(l_out, l_in, h);
  }
}
