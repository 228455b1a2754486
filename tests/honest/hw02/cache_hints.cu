// SPDX-License-Identifier: Apache-2.0
// Style: loads through the read-only path, stores with a hint that nobody reads them soon;
// unsigned numbers, and shifts and masks in place of divisions.
// Expect: pass 100..100
#include "../../hostile/given.cuh"

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  static_assert((grp_size & (grp_size - 1)) == 0);
  constexpr unsigned kWarpShift = 5u, kWarpMask = 31u;
  constexpr unsigned vecs_per_warp = 32u / grp_size;
  constexpr unsigned vecs_per_iter = vecs_per_warp * unroll_degree;
  const unsigned n = static_cast<unsigned>(n_l);
  const unsigned n_l_full = n & ~(vecs_per_iter - 1u);
  const unsigned tid = blockDim.x * blockIdx.x + threadIdx.x;
  const unsigned n_warps = (blockDim.x * gridDim.x) >> kWarpShift;
  const unsigned sub_lane = threadIdx.x & (grp_size - 1u);
  const unsigned group = (threadIdx.x & kWarpMask) / grp_size;

  for (unsigned h = (tid >> kWarpShift) * vecs_per_iter + group; h < n_l_full;
       h += n_warps * vecs_per_iter) {
    const elt_t* const __restrict__ src = &l_in[static_cast<unsigned long long>(h) * d_l + sub_lane];
    elt_t* const dst = &l_out[static_cast<unsigned long long>(h) * d_l + sub_lane];
    elt_t held[unroll_degree * d_l / grp_size];
    for (unsigned j = 0, k = 0; j < unroll_degree; ++j)
      for (unsigned i = 0; i < d_l; i += grp_size, ++k)
        held[k] = __ldg(src + j * vecs_per_warp * d_l + i);
    for (unsigned j = 0, k = 0, l = 0; j < unroll_degree; ++j) {
      elt_t sum = 0.f;
      for (unsigned i = 0; i < d_l; i += grp_size) sum = __fadd_rn(sum, held[k++]);
      const elt_t avg = __fdividef(group_sum<grp_size>(sum), static_cast<elt_t>(d_l));
      for (unsigned i = 0; i < d_l; i += grp_size)
        __stcs(dst + j * vecs_per_warp * d_l + i, __fsub_rn(held[l++], avg));
    }
  }
  for (unsigned h = n_l_full + tid; h < n; h += n_warps << kWarpShift)
    norm_vector<d_l>(l_out, l_in, static_cast<int>(h));
}
