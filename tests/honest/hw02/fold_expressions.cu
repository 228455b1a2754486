// SPDX-License-Identifier: Apache-2.0
// Style: no loop over copies or distances: index sequences and fold expressions.
// Expect: pass 100..100
#include <utility>

#include "../../hostile/given.cuh"

template <int... shift>
__device__ __forceinline__ elt_t sum_by_bits(elt_t x, std::integer_sequence<int, shift...>) {
  ((x += __shfl_xor_sync(0xffff'ffffu, x, 1 << shift)), ...);
  return x;
}

template <int n>
constexpr int kLog2 = 1 + kLog2<n / 2>;
template <>
constexpr int kLog2<1> = 0;

template <int d_l, int grp_size, int... j, int... k>
__device__ __forceinline__ void normalize(elt_t* out, const elt_t* in,
                                          std::integer_sequence<int, j...>,
                                          std::integer_sequence<int, k...> shares) {
  constexpr int apart = 32 / grp_size * d_l;
  using bits = std::make_integer_sequence<int, kLog2<grp_size>>;
  const auto add = [&]<int... i>(int from, std::integer_sequence<int, i...>) {
    return (in[from + i * grp_size] + ...);
  };
  const auto write = [&]<int... i>(int from, elt_t avg, std::integer_sequence<int, i...>) {
    ((out[from + i * grp_size] = in[from + i * grp_size] - avg), ...);
  };
  elt_t value[] = {add(j * apart, shares)...};
  ((value[j] = sum_by_bits(value[j], bits{}) / d_l), ...);
  (write(j * apart, value[j], shares), ...);
}

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  const int tid = threadIdx.x + blockIdx.x * blockDim.x;
  const int n_threads = blockDim.x * gridDim.x;
  constexpr int per_iter = 32 / grp_size * unroll_degree;
  const int n_l_full = n_l - n_l % per_iter;
  for (int h = tid / 32 * per_iter + threadIdx.x % 32 / grp_size; h < n_l_full;
       h += n_threads / 32 * per_iter) {
    const size_t at = size_t(h) * d_l + threadIdx.x % grp_size;
    normalize<d_l, grp_size>(l_out + at, l_in + at,
                             std::make_integer_sequence<int, unroll_degree>{},
                             std::make_integer_sequence<int, d_l / grp_size>{});
  }
  for (int h = n_l_full + tid; h < n_l; h += n_threads) norm_vector<d_l>(l_out, l_in, h);
}
