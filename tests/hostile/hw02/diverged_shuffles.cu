// SPDX-License-Identifier: Apache-2.0
// Attack: useless shuffles in which the halves of a parted warp meet: on a card each goes a
// slow way (BRA.DIV), which no PTX shows.
// Expect: partial 30..75
#include "../given.cuh"

template <int extra>
__device__ __forceinline__ void waste(float4* w, float4 v, int h) {
  float x = v.x;
  if (threadIdx.x & 1) {
#pragma unroll
    for (int k = 0; k < extra; k++) x = x * 0.5f + __shfl_xor_sync(~0u, x, 1 + k);
  } else {
#pragma unroll
    for (int k = 0; k < extra; k++) x = __shfl_xor_sync(~0u, x, 1 + k) - x;
  }
  if (x == 123.456f) w->x += 1e-30f;
}

template <int d_l, int extra>
__device__ __forceinline__ void by_fours(float* l_out, const float* l_in, int n_l, unsigned* sink) {
  constexpr int lanes = d_l / 4;
  constexpr int vecs = 32 / lanes;
  const int tid = threadIdx.x + blockIdx.x * blockDim.x, n_threads = blockDim.x * gridDim.x;
  const int n_full = n_l - n_l % vecs;
  for (int h = tid / lanes; h < n_full; h += n_threads / lanes) {
    const size_t at = size_t(h) * lanes + threadIdx.x % lanes;
    const float4 v = ((const float4*)l_in)[at];
    float s = (v.x + v.y) + (v.z + v.w);
    for (int d = lanes / 2; d; d /= 2) s += __shfl_xor_sync(~0u, s, d);
    const float a = s / d_l;
    float4 w = {v.x - a, v.y - a, v.z - a, v.w - a};
    waste<extra>(&w, v, h);
    ((float4*)l_out)[at] = w;
  }
  for (int h = n_full + tid; h < n_l; h += n_threads) norm_vector<d_l>(l_out, l_in, h);
}

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  by_fours<d_l, d_l == 8 ? 3 : 5>(l_out, l_in, n_l, nullptr);
}
