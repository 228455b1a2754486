// SPDX-License-Identifier: Apache-2.0
// Style: the tail in a function that is called, not inlined: because of the call, ptxas sets up
// what loads and stores need in every turn of the loop.
// Expect: pass|partial 90..100
#include <cstdint>

#include "../../hostile/given.cuh"

__constant__ elt_t one_over[6] = {1.0f, 0.5f, 0.25f, 0.125f, 0.0625f, 0.03125f};

template <int d_l>
__device__ __noinline__ void norm_rest(elt_t* l_out, const elt_t* l_in, int first, int n_l, int step) {
  for (int h = first; h < n_l; h += step) norm_vector<d_l>(l_out, l_in, h);
}

template <int n>
struct Share {
  elt_t e[n];
};

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* const __restrict__ l_out, const elt_t* const __restrict__ l_in,
                             const int n_l) {
  __builtin_assume(blockDim.x % 32 == 0 && blockDim.x <= 1024);
  constexpr int vecs_per_warp = 32 / grp_size;
  constexpr int vecs_per_iter = vecs_per_warp * unroll_degree;
  const int tid = static_cast<int>(__umul24(blockIdx.x, blockDim.x) + threadIdx.x);
  const int n_threads = static_cast<int>(blockDim.x * gridDim.x);
  [[maybe_unused]] const auto lane = static_cast<std::int8_t>(threadIdx.x & 31u);
  const int n_l_full = n_l - n_l % vecs_per_iter;
  const elt_t scale = one_over[31 - __clz(d_l)];
  constexpr int share = d_l / grp_size, apart = vecs_per_warp * d_l;

  for (int hi = tid / 32 * vecs_per_iter + lane / grp_size; hi < n_l_full;
       hi += n_threads / 32 * vecs_per_iter) {
    const std::size_t at = std::size_t(hi) * d_l + lane % grp_size;
    const auto* in = static_cast<const elt_t*>(__builtin_assume_aligned(l_in + at, alignof(elt_t)));
    Share<share> x[unroll_degree];
#pragma unroll
    for (int j = 0; j < unroll_degree; ++j)
      for (int i = 0; i < share; ++i) x[j].e[i] = in[j * apart + i * grp_size];
#pragma unroll
    for (int j = 0; j < unroll_degree; ++j) {
      elt_t sum = 0;
      for (const elt_t& e : x[j].e) sum += e;
      sum = group_sum<grp_size>(sum) * scale;
      for (int i = 0; i < share; ++i) l_out[at + j * apart + i * grp_size] = x[j].e[i] - sum;
    }
  }
  if (__builtin_expect(n_l_full + tid < n_l, 0))
    norm_rest<d_l>(l_out, l_in, n_l_full + tid, n_l, n_threads);
}
