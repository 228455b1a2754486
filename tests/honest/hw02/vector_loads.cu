// SPDX-License-Identifier: Apache-2.0
// Style: float4 or float2 loads and stores where a thread has that many elements of a vector and
// the arrays are aligned to it, single ones otherwise.
// Expect: pass 100..100
#include "../../hostile/given.cuh"

template <int n>
struct Pack;
template <>
struct Pack<1> {
  using type = float;
};
template <>
struct Pack<2> {
  using type = float2;
};
template <>
struct Pack<4> {
  using type = float4;
};

// Elements of a vector in the registers of a thread.
template <int n>
union Share {
  typename Pack<n>::type pack;
  elt_t elt[n];
};

template <int d_l, int grp_size, int unroll_degree, int width>
__device__ __forceinline__ int norm_full_iterations(elt_t* l_out, const elt_t* l_in, int n_l) {
  using pack_t = typename Pack<width>::type;
  constexpr int vecs_per_warp = 32 / grp_size, vecs_per_iter = vecs_per_warp * unroll_degree;
  constexpr int packs = d_l / (grp_size * width);  // of a thread and a vector
  const int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const int h_inc = gridDim.x * blockDim.x / 32 * vecs_per_iter;
  const int n_l_full = n_l - n_l % vecs_per_iter;
  const pack_t* const in = reinterpret_cast<const pack_t*>(l_in);
  pack_t* const out = reinterpret_cast<pack_t*>(l_out);

  for (int hi = warp * vecs_per_iter + threadIdx.x % 32 / grp_size; hi < n_l_full; hi += h_inc) {
    const size_t at = size_t(hi) * (d_l / width) + threadIdx.x % grp_size;
    constexpr int apart = vecs_per_warp * d_l / width;
    Share<width> s[unroll_degree][packs];
    for (int j = 0; j < unroll_degree; j++)
      for (int p = 0; p < packs; p++) s[j][p].pack = in[at + j * apart + p * grp_size];
    elt_t avg[unroll_degree]{};
    for (int j = 0; j < unroll_degree; j++)
      for (int p = 0; p < packs; p++)
        for (elt_t e : s[j][p].elt) avg[j] += e;
    for (elt_t& a : avg) a = group_sum<grp_size>(a) / d_l;
    for (int j = 0; j < unroll_degree; j++)
      for (int p = 0; p < packs; p++) {
        for (elt_t& e : s[j][p].elt) e -= avg[j];
        out[at + j * apart + p * grp_size] = s[j][p].pack;
      }
  }
  return n_l_full;
}

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  constexpr int share = d_l / grp_size;
  constexpr int width = share % 4 == 0 ? 4 : share % 2 == 0 ? 2 : 1;
  const size_t addresses = reinterpret_cast<size_t>(l_out) | reinterpret_cast<size_t>(l_in);
  int done;
  if (width > 1 && addresses % (sizeof(elt_t) * width) == 0)
    done = norm_full_iterations<d_l, grp_size, unroll_degree, width>(l_out, l_in, n_l);
  else
    done = norm_full_iterations<d_l, grp_size, unroll_degree, 1>(l_out, l_in, n_l);
  for (int h = done + threadIdx.x + blockIdx.x * blockDim.x; h < n_l; h += blockDim.x * gridDim.x)
    norm_vector<d_l>(l_out, l_in, h);
}
