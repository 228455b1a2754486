// SPDX-License-Identifier: Apache-2.0
// Style: in the tail each group shuffles by itself, under a mask of its own threads: groups
// without a vector have left already, and no vector is done by one thread.
// Expect: pass 100..100
#include "../../hostile/given.cuh"

template <int grp_size>
__device__ __forceinline__ elt_t sum_under_mask(unsigned mask, elt_t x) {
#pragma unroll
  for (int dist = grp_size >> 1; dist; dist >>= 1) x += __shfl_xor_sync(mask, x, dist, grp_size);
  return x;
}

template <int d_l, int grp_size, int degree>
__device__ __forceinline__ void norm_copies(elt_t* out, const elt_t* in, unsigned mask) {
  constexpr int apart = 32 / grp_size * d_l;
  elt_t x[degree][d_l / grp_size], sum[degree]{};
  for (int j = 0; j < degree; j++)
    for (int i = 0; i < d_l / grp_size; i++) sum[j] += x[j][i] = in[j * apart + i * grp_size];
  for (int j = 0; j < degree; j++) sum[j] = sum_under_mask<grp_size>(mask, sum[j]) / d_l;
  for (int j = 0; j < degree; j++)
    for (int i = 0; i < d_l / grp_size; i++) out[j * apart + i * grp_size] = x[j][i] - sum[j];
}

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  const int tid = threadIdx.x + blockIdx.x * blockDim.x;
  const int n_threads = blockDim.x * gridDim.x;
  const int lane = threadIdx.x % 32;
  const int sub_lane = lane % grp_size, group = lane / grp_size;
  constexpr int vecs_per_warp = 32 / grp_size, vecs_per_iter = vecs_per_warp * unroll_degree;
  const int n_l_full = n_l - n_l % vecs_per_iter;

  for (int h = tid / 32 * vecs_per_iter + group; h < n_l_full; h += n_threads / 32 * vecs_per_iter) {
    const size_t at = size_t(h) * d_l + sub_lane;
    norm_copies<d_l, grp_size, unroll_degree>(l_out + at, l_in + at, 0xffffffffu);
  }

  const unsigned mask = (0xffffffffu >> (32 - grp_size)) << (group * grp_size);
  for (int h = n_l_full + tid / grp_size; h < n_l; h += n_threads / grp_size) {
    const size_t at = size_t(h) * d_l + sub_lane;
    norm_copies<d_l, grp_size, 1>(l_out + at, l_in + at, mask);
  }
}
