// SPDX-License-Identifier: Apache-2.0
// Style: printf and assert for debugging, behind a switch that is off, and checks at compile time.
// Expect: pass 100..100
#include <cassert>
#include <cstdio>

#include "../../hostile/given.cuh"

#ifdef HW02_DEBUG
constexpr bool kDebug = true;
#else
constexpr bool kDebug = false;
#endif

#define TRACE(...)                      \
  do {                                  \
    if (kDebug) printf(__VA_ARGS__);    \
  } while (0)

#if defined(HW02_DEBUG)
#define CHECK(condition) assert(condition)
#else
#define CHECK(condition) (void)sizeof(!(condition))
#endif

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  static_assert(d_l % grp_size == 0, "a group shares a vector evenly");
  static_assert(32 % grp_size == 0, "a group is within a warp");
  assert(unroll_degree > 0);  // Known when it is compiled: costs nothing.
  CHECK(n_l > 0 && l_out != l_in);

  const int tid = threadIdx.x + blockIdx.x * blockDim.x;
  const int n_threads = blockDim.x * gridDim.x;
  constexpr int vecs_per_warp = 32 / grp_size;
  constexpr int vecs_per_iter = vecs_per_warp * unroll_degree;
  const int n_l_full = n_l - n_l % vecs_per_iter;
  const int h_start = tid / 32 * vecs_per_iter + threadIdx.x % 32 / grp_size;
  const int h_inc = n_threads / 32 * vecs_per_iter;
  if (tid == 0) TRACE("%s: %d of %d vectors in the loop\n", __func__, n_l_full, n_l);

  for (int hi = h_start; hi < n_l_full; hi += h_inc) {
    elt_t avg[unroll_degree]{};
    for (int j = 0; j < unroll_degree; j++) {
      const int h = hi + j * vecs_per_warp;
      CHECK(h < n_l_full);
      TRACE("thread %d, copy %d: vector %d\n", tid, j, h);
      for (int i = threadIdx.x % grp_size; i < d_l; i += grp_size) avg[j] += l_in[size_t(h) * d_l + i];
    }
    for (int j = 0; j < unroll_degree; j++) {
      avg[j] = group_sum<grp_size>(avg[j]) / d_l;
      CHECK(!isnan(avg[j]));
    }
    for (int j = 0; j < unroll_degree; j++) {
      const size_t at = size_t(hi + j * vecs_per_warp) * d_l;
      for (int i = threadIdx.x % grp_size; i < d_l; i += grp_size)
        l_out[at + i] = l_in[at + i] - avg[j];
    }
  }
  for (int h = n_l_full + tid; h < n_l; h += n_threads) norm_vector<d_l>(l_out, l_in, h);
}
