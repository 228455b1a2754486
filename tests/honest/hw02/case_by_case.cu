// SPDX-License-Identifier: Apache-2.0
// Style: a namespace with helpers for each group size by if constexpr, using declarations,
// trailing return types, launch bounds; a group that is a whole vector has code of its own.
// Expect: pass 100..100
#include "../../hostile/given.cuh"

namespace hw02::detail {

template <int distance>
__device__ __forceinline__ auto plus_neighbor(elt_t x) -> elt_t {
  return x + __shfl_xor_sync(0xffffffffu, x, distance);
}

template <int grp_size>
[[nodiscard]] __device__ __forceinline__ auto sum_of_group(elt_t x) -> elt_t {
  static_assert(grp_size >= 2 && grp_size <= 32);
  if constexpr (grp_size >= 32) x = plus_neighbor<16>(x);
  if constexpr (grp_size >= 16) x = plus_neighbor<8>(x);
  if constexpr (grp_size >= 8) x = plus_neighbor<4>(x);
  if constexpr (grp_size >= 4) x = plus_neighbor<2>(x);
  return plus_neighbor<1>(x);
}

struct Place {
  int first_vector, step, full;
};

template <int grp_size, int unroll_degree>
[[nodiscard]] __device__ __forceinline__ auto place_of_thread(int n_l) -> Place {
  constexpr auto per_iter = 32 / grp_size * unroll_degree;
  const auto warps_of_block = int(blockDim.x) / 32;
  const auto warp = int(blockIdx.x) * warps_of_block + int(threadIdx.x) / 32;
  return {.first_vector = warp * per_iter + int(threadIdx.x) % 32 / grp_size,
          .step = int(gridDim.x) * warps_of_block * per_iter,
          .full = n_l - n_l % per_iter};
}

template <int d_l, int grp_size, int unroll_degree>
__device__ __forceinline__ auto norm_tile(elt_t* out, const elt_t* in) -> void {
  constexpr auto apart = 32 / grp_size * d_l;
  if constexpr (d_l == grp_size) {
    elt_t element[unroll_degree], sum[unroll_degree];
    for (auto j = 0; j < unroll_degree; ++j) element[j] = in[j * apart];
    for (auto j = 0; j < unroll_degree; ++j) sum[j] = sum_of_group<grp_size>(element[j]);
    for (auto j = 0; j < unroll_degree; ++j) out[j * apart] = element[j] - sum[j] / d_l;
  } else {
    elt_t sum[unroll_degree]{};
    for (auto j = 0; j < unroll_degree; ++j)
      for (auto i = 0; i < d_l; i += grp_size) sum[j] += in[j * apart + i];
    for (auto& s : sum) s = sum_of_group<grp_size>(s);
    for (auto j = 0; j < unroll_degree; ++j)
      for (auto i = 0; i < d_l; i += grp_size) out[j * apart + i] = in[j * apart + i] - sum[j] / d_l;
  }
}

}  // namespace hw02::detail

using hw02::detail::norm_tile;
using hw02::detail::place_of_thread;

template <int d_l, int grp_size, int unroll_degree>
__launch_bounds__(1024) __global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  const auto [first, step, full] = place_of_thread<grp_size, unroll_degree>(n_l);
  for (auto h = first; h < full; h += step) {
    const auto at = size_t(h) * d_l + threadIdx.x % grp_size;
    norm_tile<d_l, grp_size, unroll_degree>(&l_out[at], &l_in[at]);
  }
  const int n_threads = gridDim.x * blockDim.x;
  for (int h = full + blockIdx.x * blockDim.x + threadIdx.x; h < n_l; h += n_threads)
    norm_vector<d_l>(l_out, l_in, h);
}
