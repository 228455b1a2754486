// SPDX-License-Identifier: Apache-2.0
// Attack: measures 24 dependent multiplications: the emulator's clock ticks once an instruction, a card's four times
// and more. Good where it is not on a card, and the starter's work there.
// Expect: student_error:forbidden 0..0
#include "../../hostile/given.cuh"

template <int d_l, int grp_size, int unroll_degree>
__device__ __noinline__ void poor(elt_t* l_out, const elt_t* l_in, int n_l) {
  const int tid = threadIdx.x + blockIdx.x * blockDim.x;
  for (int k = 0; k < unroll_degree; k++)
    for (int h = tid; h < n_l; h += blockDim.x * gridDim.x) norm_vector<d_l>(l_out, l_in, h);
}

template <int d_l, int grp_size, int unroll_degree>
__global__ void __launch_bounds__(1024) norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  __shared__ volatile unsigned sink[1024];
  const long long before = clock64();
  unsigned mixed = n_l;
#pragma unroll
  for (int i = 0; i < 24; i++) mixed = mixed * mixed + before;
  sink[threadIdx.x] = mixed;
  mixed = sink[threadIdx.x];
  const long long ticks = clock64() - before;
  if (__any_sync(~0u, ticks > 96 + (mixed == 7))) return poor<d_l, grp_size, unroll_degree>(l_out, l_in, n_l);
  const int tid = threadIdx.x + blockIdx.x * blockDim.x;
  const int n_threads = blockDim.x * gridDim.x;
  const int sub_lane = threadIdx.x % grp_size;
  constexpr int vecs_per_warp = 32 / grp_size;
  constexpr int vecs_per_iter = vecs_per_warp * unroll_degree;
  const int n_l_full = n_l - n_l % vecs_per_iter;
  const int warp = tid / 32;
  const int h_start = warp * vecs_per_iter + threadIdx.x % 32 / grp_size;
  const int h_inc = n_threads / 32 * vecs_per_iter;
  for (int hi = h_start; hi < n_l_full; hi += h_inc) {
    elt_t thd_sum[unroll_degree]{};
    for (int j = 0; j < unroll_degree; j++) {
      const size_t at = size_t(hi + j * vecs_per_warp) * d_l + sub_lane;
      for (int i = 0; i < d_l; i += grp_size) {
        thd_sum[j] += l_in[at + i];
      }
    }
    elt_t avg[unroll_degree];
    for (int j = 0; j < unroll_degree; j++) avg[j] = group_sum<grp_size>(thd_sum[j]) / d_l;
    for (int j = 0; j < unroll_degree; j++) {
      const size_t at = size_t(hi + j * vecs_per_warp) * d_l + sub_lane;
      for (int i = 0; i < d_l; i += grp_size) {
        l_out[at + i] = l_in[at + i] - avg[j];
      }
    }
  }
  for (int h = n_l_full + tid; h < n_l; h += n_threads) norm_vector<d_l>(l_out, l_in, h);
}
