// SPDX-License-Identifier: Apache-2.0
// Style: cuda::std::array of the toolkit's own library.
// Expect: pass 100..100
#include <cuda/std/array>
#include <cuda/std/cstddef>

#include "../../hostile/given.cuh"

template <int d_l, int grp_size, int unroll_degree>
struct Tile {
  static constexpr int kVecsPerWarp = 32 / grp_size;
  static constexpr int kVectors = kVecsPerWarp * unroll_degree;
  static constexpr int kShare = d_l / grp_size;
  using Share = cuda::std::array<elt_t, kShare>;
  using Shares = cuda::std::array<Share, unroll_degree>;

  __device__ static constexpr int offset(int j, int i) {
    return j * kVecsPerWarp * d_l + i * grp_size;
  }

  __device__ static Shares load(const elt_t* from) {
    Shares s;
    for (int j = 0; j < unroll_degree; j++)
      for (int i = 0; i < kShare; i++) s[j][i] = from[offset(j, i)];
    return s;
  }

  __device__ static void store(elt_t* to, const Shares& s) {
    for (int j = 0; j < unroll_degree; j++)
      for (int i = 0; i < kShare; i++) to[offset(j, i)] = s[j][i];
  }

  __device__ static void subtract_average(Shares& s) {
    cuda::std::array<elt_t, unroll_degree> avg{};
    for (int j = 0; j < unroll_degree; j++)
      for (const auto& x : s[j]) avg[j] += x;
    for (auto& a : avg) a = group_sum<grp_size>(a) / d_l;
    for (int j = 0; j < unroll_degree; j++)
      for (auto& x : s[j]) x -= avg[j];
  }
};

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  using T = Tile<d_l, grp_size, unroll_degree>;
  const int tid = threadIdx.x + blockIdx.x * blockDim.x;
  const int n_threads = blockDim.x * gridDim.x;
  const int n_l_full = n_l - n_l % T::kVectors;
  for (int h = tid / 32 * T::kVectors + threadIdx.x % 32 / grp_size; h < n_l_full;
       h += n_threads / 32 * T::kVectors) {
    const cuda::std::size_t at = cuda::std::size_t(h) * d_l + threadIdx.x % grp_size;
    auto tile = T::load(l_in + at);
    T::subtract_average(tile);
    T::store(l_out + at, tile);
  }
  for (int h = n_l_full + tid; h < n_l; h += n_threads) norm_vector<d_l>(l_out, l_in, h);
}
