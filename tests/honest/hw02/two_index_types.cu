// SPDX-License-Identifier: Apache-2.0
// Style: 32-bit indices where the input is small enough for them, 64-bit ones for what is larger:
// one body, two types.
// Expect: pass 100..100
#include "../../hostile/given.cuh"

template <typename index_t, int d_l, int grp_size, int unroll_degree>
__device__ __forceinline__ void norm_indexed(elt_t* __restrict__ l_out,
                                             const elt_t* __restrict__ l_in, unsigned n_l) {
  constexpr unsigned vecs_per_warp = 32u / grp_size;
  constexpr unsigned vecs_per_iter = vecs_per_warp * unroll_degree;
  constexpr unsigned elts_per_iter = vecs_per_iter * d_l;
  const unsigned tid = threadIdx.x + blockIdx.x * blockDim.x;
  const unsigned n_threads = blockDim.x * gridDim.x;
  const unsigned lane = threadIdx.x & 31u;

  const index_t end = index_t(n_l / vecs_per_iter) * elts_per_iter;
  const index_t inc = index_t(n_threads / 32u) * elts_per_iter;
  index_t e = index_t(tid / 32u) * elts_per_iter + lane / grp_size * d_l + lane % grp_size;
  for (; e < end; e += inc) {
    elt_t avg[unroll_degree]{};
#pragma unroll
    for (unsigned j = 0; j < unroll_degree; j++)
#pragma unroll
      for (unsigned i = 0; i < d_l; i += grp_size) avg[j] += l_in[e + (j * vecs_per_warp * d_l + i)];
#pragma unroll
    for (unsigned j = 0; j < unroll_degree; j++) avg[j] = group_sum<grp_size>(avg[j]) / d_l;
#pragma unroll
    for (unsigned j = 0; j < unroll_degree; j++)
#pragma unroll
      for (unsigned i = 0; i < d_l; i += grp_size) {
        const index_t at = e + (j * vecs_per_warp * d_l + i);
        l_out[at] = l_in[at] - avg[j];
      }
  }
  for (unsigned h = n_l / vecs_per_iter * vecs_per_iter + tid; h < n_l; h += n_threads)
    norm_vector<d_l>(l_out, l_in, int(h));
}

template <int d_l, int grp_size, int unroll_degree>
__global__ __launch_bounds__(32 * 32) void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  // Far below 2^32: e grows past the end by up to one step of all warps.
  if (n_l <= (1 << 28) / d_l)
    norm_indexed<unsigned, d_l, grp_size, unroll_degree>(l_out, l_in, n_l);
  else
    norm_indexed<size_t, d_l, grp_size, unroll_degree>(l_out, l_in, n_l);
}
