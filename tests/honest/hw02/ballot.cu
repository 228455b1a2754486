// SPDX-License-Identifier: Apache-2.0
// Style: what is left over is done by groups, too: a ballot says which threads have a vector, and
// they alone shuffle.
// Expect: pass 100..100
#include "../../hostile/given.cuh"

template <int grp_size>
__device__ __forceinline__ elt_t sum_among(unsigned threads, elt_t x) {
  for (int dist = grp_size / 2; dist >= 1; dist /= 2) x += __shfl_xor_sync(threads, x, dist);
  return x;
}

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  constexpr int vecs_per_warp = 32 / grp_size;
  constexpr int vecs_per_iter = vecs_per_warp * unroll_degree;
  const int warp = (threadIdx.x + blockIdx.x * blockDim.x) / 32;
  const int n_warps = blockDim.x * gridDim.x / 32;
  const int lane = threadIdx.x % 32;
  const int n_l_full = n_l - n_l % vecs_per_iter;
  const size_t mine = size_t(lane / grp_size) * d_l + lane % grp_size;

  for (int h_warp = warp * vecs_per_iter; h_warp < n_l_full; h_warp += n_warps * vecs_per_iter) {
    const size_t at = size_t(h_warp) * d_l + mine;
    elt_t avg[unroll_degree]{};
    for (int j = 0; j < unroll_degree; j++)
      for (int i = 0; i < d_l; i += grp_size) avg[j] += l_in[at + j * vecs_per_warp * d_l + i];
    for (elt_t& a : avg) a = sum_among<grp_size>(0xffffffffu, a) / d_l;
    for (int j = 0; j < unroll_degree; j++)
      for (int i = 0; i < d_l; i += grp_size) {
        const size_t k = at + j * vecs_per_warp * d_l + i;
        l_out[k] = l_in[k] - avg[j];
      }
  }

  for (int h_warp = n_l_full + warp * vecs_per_warp; h_warp < n_l; h_warp += n_warps * vecs_per_warp) {
    const bool has_vector = h_warp + lane / grp_size < n_l;
    const unsigned threads = __ballot_sync(0xffffffffu, has_vector);
    if (has_vector) {
      const size_t at = size_t(h_warp) * d_l + mine;
      elt_t avg = 0;
      for (int i = 0; i < d_l; i += grp_size) avg += l_in[at + i];
      avg = sum_among<grp_size>(threads, avg) / d_l;
      for (int i = 0; i < d_l; i += grp_size) l_out[at + i] = l_in[at + i] - avg;
    }
    __syncwarp();
  }
}
