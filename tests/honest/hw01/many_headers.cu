// SPDX-License-Identifier: Apache-2.0
// Style: headers that are hardly used, half precision for one exact power of two, launch bounds,
// read-only loads, unsigned numbers with shifts and masks.
// Expect: pass 100..100
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <math_constants.h>

#include <cstdint>
#include <type_traits>

using elt_t = float;

// One thread normalizes vector h by itself.
template <int d_l>
__device__ void norm_vector(elt_t* l_out, const elt_t* l_in, int h) {
  const size_t idx_vec_start = size_t(h) * d_l;
  elt_t sum = 0;
  for (int i = 0; i < d_l; i++) sum += l_in[idx_vec_start + i];
  const elt_t avg = sum / d_l;
  for (int i = 0; i < d_l; i++)
    l_out[idx_vec_start + i] = l_in[idx_vec_start + i] - avg;
}

// One thread a vector. For comparison: do not edit.
template <int d_l>
__global__ void norm_base(elt_t* l_out, const elt_t* l_in, int n_l) {
  const int tid = threadIdx.x + blockIdx.x * blockDim.x;
  const int n_threads = blockDim.x * gridDim.x;
  for (int h = tid; h < n_l; h += n_threads)
    norm_vector<d_l>(l_out, l_in, h);
}

template <int grp_size>
__device__ __forceinline__ elt_t group_sum(elt_t thd_sum) {
  constexpr auto kAll = std::uint32_t{UINT32_MAX};
#pragma unroll
  for (std::uint32_t dist = grp_size >> 1; dist != 0; dist >>= 1)
    thd_sum = __fadd_rn(thd_sum, __shfl_xor_sync(kAll, thd_sum, dist));
  return thd_sum;
}

template <int d_l, int grp_size>
__global__ void __launch_bounds__(1024)
    norm_group(elt_t* __restrict__ l_out, const elt_t* __restrict__ l_in, int n_l) {
  static_assert(std::is_same_v<elt_t, float>);
  constexpr std::uint32_t vecs_per_warp = 32u / grp_size;
  const std::uint32_t tid = threadIdx.x + blockIdx.x * blockDim.x;
  const std::uint32_t n_threads = blockDim.x * gridDim.x;
  const std::uint32_t sub_lane = threadIdx.x & (grp_size - 1u);
  const std::uint32_t full = std::uint32_t(n_l) & ~(vecs_per_warp - 1u);
  const elt_t one_over_d_l = __half2float(__float2half(1.0f / d_l));  // Exact.

  for (std::uint32_t h = tid / grp_size; h < full; h += n_threads / grp_size) {
    const std::uint64_t start = std::uint64_t{h} * d_l + sub_lane;
    elt_t sum = 0.0f;
#pragma unroll
    for (std::uint32_t i = 0; i < d_l; i += grp_size) sum += __ldg(&l_in[start + i]);
    const elt_t avg = group_sum<grp_size>(sum) * one_over_d_l;
#pragma unroll
    for (std::uint32_t i = 0; i < d_l; i += grp_size) l_out[start + i] = __ldg(&l_in[start + i]) - avg;
  }
  for (std::uint32_t h = full + tid; h < std::uint32_t(n_l); h += n_threads)
    norm_vector<d_l>(l_out, l_in, int(h));
}
