// SPDX-License-Identifier: Apache-2.0
// Style: views with several dimensions over the input and output: warp turns, copies, elements. Their
// 64-bit indices are computed anew in each turn: 1.8 times the instructions where groups are small.
// Expect: partial 70..90
#include <cuda/std/mdspan>
#include <cuda/std/type_traits>

#include "../../hostile/given.cuh"

// A piece of the input as turns x copies x elements of a warp; all but the first are known.
template <typename T, int copies, int width>
using Turns = cuda::std::mdspan<
    T, cuda::std::extents<long long, cuda::std::dynamic_extent, copies, width>>;

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  constexpr int vecs_per_warp = 32 / grp_size;
  constexpr int vecs_per_iter = vecs_per_warp * unroll_degree;
  constexpr int width = vecs_per_warp * d_l;
  const int tid = threadIdx.x + blockIdx.x * blockDim.x;
  const int n_threads = blockDim.x * gridDim.x;
  const int lane = threadIdx.x % 32;
  const int mine = lane / grp_size * d_l + lane % grp_size;

  const long long turns = n_l / vecs_per_iter;
  const Turns<const elt_t, unroll_degree, width> in(l_in, turns);
  const Turns<elt_t, unroll_degree, width> out(l_out, turns);
  for (long long t = tid / 32; t < in.extent(0); t += n_threads / 32) {
    elt_t avg[unroll_degree]{};
    for (int j = 0; j < unroll_degree; j++)
      for (int i = 0; i < d_l; i += grp_size) avg[j] += in(t, j, mine + i);
    for (int j = 0; j < unroll_degree; j++) avg[j] = group_sum<grp_size>(avg[j]) / d_l;
    for (int j = 0; j < unroll_degree; j++)
      for (int i = 0; i < d_l; i += grp_size) out(t, j, mine + i) = in(t, j, mine + i) - avg[j];
  }
  for (int h = int(turns) * vecs_per_iter + tid; h < n_l; h += n_threads)
    norm_vector<d_l>(l_out, l_in, h);
}
