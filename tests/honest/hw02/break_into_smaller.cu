// SPDX-License-Identifier: Apache-2.0
// Style: an endless loop that a warp leaves by break when its turn is no longer full; then half
// the unroll degree, a quarter ... and the last vectors one thread each.
// Expect: pass 100..100
#include "../../hostile/given.cuh"

template <int d_l, int grp_size, int degree>
__device__ __forceinline__ void do_turn(elt_t* out, const elt_t* in) {
  constexpr int apart = 32 / grp_size * d_l;
  elt_t avg[degree];
  for (int j = 0; j < degree; j++) {
    avg[j] = in[j * apart];
    for (int i = grp_size; i < d_l; i += grp_size) avg[j] += in[j * apart + i];
  }
  for (int j = 0; j < degree; j++) avg[j] = group_sum<grp_size>(avg[j]) / d_l;
  for (int j = 0; j < degree; j++)
    for (int i = 0; i < d_l; i += grp_size) out[j * apart + i] = in[j * apart + i] - avg[j];
}

// h is the first vector of this warp that is not done yet, left how many there are from there on.
template <int d_l, int grp_size, int degree>
__device__ __forceinline__ void do_rest(elt_t* l_out, const elt_t* l_in, int h, int left) {
  constexpr int vecs_per_warp = 32 / grp_size;
  const int lane = threadIdx.x % 32;
  if constexpr (degree == 0) {
    if (lane < left) norm_vector<d_l>(l_out, l_in, h + lane);
  } else {
    if (left >= degree * vecs_per_warp) {
      const size_t at = size_t(h + lane / grp_size) * d_l + lane % grp_size;
      do_turn<d_l, grp_size, degree>(l_out + at, l_in + at);
      h += degree * vecs_per_warp;
      left -= degree * vecs_per_warp;
    }
    do_rest<d_l, grp_size, degree / 2>(l_out, l_in, h, left);
  }
}

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  constexpr int vecs_per_iter = 32 / grp_size * unroll_degree;
  const int lane = threadIdx.x % 32;
  const int n_warps = gridDim.x * (blockDim.x / 32);
  int h = (blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32) * vecs_per_iter;
  for (;;) {
    const int left = n_l - h;
    if (left < vecs_per_iter) {
      if (left > 0) do_rest<d_l, grp_size, unroll_degree / 2>(l_out, l_in, h, left);
      break;
    }
    const size_t at = size_t(h + lane / grp_size) * d_l + lane % grp_size;
    do_turn<d_l, grp_size, unroll_degree>(l_out + at, l_in + at);
    h += n_warps * vecs_per_iter;
  }
}
