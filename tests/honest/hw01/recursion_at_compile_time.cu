// SPDX-License-Identifier: Apache-2.0
// Style: templates that call themselves for the sum, fold expressions for the share of a thread,
// concepts.
// Expect: pass 100..100
#include <utility>

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

template <int n>
concept GroupSize = n >= 1 && n <= 32 && (n & (n - 1)) == 0;

template <int grp_size>
  requires GroupSize<grp_size>
__device__ __forceinline__ elt_t group_sum(elt_t thd_sum) {
  if constexpr (grp_size == 1)
    return thd_sum;
  else
    return group_sum<grp_size / 2>(thd_sum + __shfl_xor_sync(~0u, thd_sum, grp_size / 2));
}

template <int grp_size, int... i>
__device__ __forceinline__ void norm_share(elt_t* out, const elt_t* in,
                                           std::integer_sequence<int, i...>) {
  constexpr int d_l = grp_size * sizeof...(i);
  const elt_t avg = group_sum<grp_size>((in[i * grp_size] + ...)) / d_l;
  ((out[i * grp_size] = in[i * grp_size] - avg), ...);
}

template <int d_l, int grp_size>
__global__ void norm_group(elt_t* l_out, const elt_t* l_in, int n_l) {
  const auto tid = int(threadIdx.x + blockIdx.x * blockDim.x);
  const auto n_threads = int(blockDim.x * gridDim.x);
  constexpr auto shares = std::make_integer_sequence<int, d_l / grp_size>{};
  const auto full = n_l - n_l % (32 / grp_size);
  for (auto h = tid / grp_size; h < full; h += n_threads / grp_size) {
    const auto at = size_t(h) * d_l + tid % grp_size;
    norm_share<grp_size>(l_out + at, l_in + at, shares);
  }
  for (auto h = full + tid; h < n_l; h += n_threads) norm_vector<d_l>(l_out, l_in, h);
}
