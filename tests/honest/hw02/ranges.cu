// SPDX-License-Identifier: Apache-2.0
// Style: each warp has one contiguous range of the input and walks through it, counting down; what
// is not a full turn of a warp is shared out between threads.
// Expect: pass 100..100
#include "../../hostile/given.cuh"

struct Range {
  int first, count;
};

// Part `part` of `total` things, as evenly as it goes.
__device__ inline Range share_of(int total, int parts, int part) {
  const int each = total / parts, more = total % parts;
  return {part * each + min(part, more), each + (part < more ? 1 : 0)};
}

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  constexpr int vecs_per_warp = 32 / grp_size;
  constexpr int vecs_per_iter = vecs_per_warp * unroll_degree;
  constexpr int apart = vecs_per_warp * d_l;
  const int tid = threadIdx.x + blockIdx.x * blockDim.x;
  const int n_threads = blockDim.x * gridDim.x;
  const int lane = threadIdx.x % 32;

  auto [turn, turns] = share_of(n_l / vecs_per_iter, n_threads / 32, tid / 32);
  const size_t at = size_t(turn) * (vecs_per_iter * d_l) + lane / grp_size * d_l + lane % grp_size;
  const elt_t* in = l_in + at;
  elt_t* out = l_out + at;
  while (turns-- > 0) {
    elt_t avg[unroll_degree]{};
    for (int j = 0; j < unroll_degree; j++)
      for (int i = 0; i < d_l; i += grp_size) avg[j] += in[j * apart + i];
    for (int j = 0; j < unroll_degree; j++) avg[j] = group_sum<grp_size>(avg[j]) / d_l;
    for (int j = 0; j < unroll_degree; j++)
      for (int i = 0; i < d_l; i += grp_size) out[j * apart + i] = in[j * apart + i] - avg[j];
    in += vecs_per_iter * d_l;
    out += vecs_per_iter * d_l;
  }
  for (int h = n_l / vecs_per_iter * vecs_per_iter + tid; h < n_l; h += n_threads)
    norm_vector<d_l>(l_out, l_in, h);
}
