// SPDX-License-Identifier: Apache-2.0
// Style: no thread takes a vector alone: the vectors left over are one more turn, of whole warps
// whose groups without a vector add up zeros and write nothing.
// Expect: pass 100..100
#include "../../hostile/given.cuh"

// One turn of a warp. With checked, copies whose vector is past the end do nothing but shuffle.
template <int d_l, int grp_size, int unroll_degree, bool checked>
__device__ __forceinline__ void turn(elt_t* l_out, const elt_t* l_in, int h, int n_l) {
  constexpr int vecs_per_warp = 32 / grp_size;
  const size_t first = size_t(h) * d_l + threadIdx.x % grp_size;
  elt_t mean[unroll_degree];
  for (int j = 0; j < unroll_degree; j++) {
    const bool mine = !checked || h + j * vecs_per_warp < n_l;
    mean[j] = 0;
    for (int i = 0; i < d_l; i += grp_size)
      mean[j] += mine ? l_in[first + j * vecs_per_warp * d_l + i] : 0.0f;
  }
  for (int j = 0; j < unroll_degree; j++) mean[j] = group_sum<grp_size>(mean[j]) / d_l;
  for (int j = 0; j < unroll_degree; j++) {
    if (checked && h + j * vecs_per_warp >= n_l) break;
    for (int i = 0; i < d_l; i += grp_size) {
      const size_t at = first + j * vecs_per_warp * d_l + i;
      l_out[at] = l_in[at] - mean[j];
    }
  }
}

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  constexpr int vecs_per_warp = 32 / grp_size, vecs_per_iter = vecs_per_warp * unroll_degree;
  const int warp = (threadIdx.x + blockIdx.x * blockDim.x) / 32;
  const int n_warps = blockDim.x * gridDim.x / 32;
  const int group = threadIdx.x % 32 / grp_size;
  const int full_turns = n_l / vecs_per_iter;

  int t = warp;
  for (; t < full_turns; t += n_warps)
    turn<d_l, grp_size, unroll_degree, false>(l_out, l_in, t * vecs_per_iter + group, n_l);
  // One warp arrives here with the turn that is not full; the others are past it.
  if (t == full_turns)
    turn<d_l, grp_size, unroll_degree, true>(l_out, l_in, t * vecs_per_iter + group, n_l);
}
