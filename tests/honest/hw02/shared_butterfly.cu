// SPDX-License-Identifier: Apache-2.0
// Style: several vectors go through one butterfly: at each step a thread keeps half of its sums
// and gives the other half away, so that fewer are left to add up; elements stay in registers.
// Expect: pass 100..100
#include "../../hostile/given.cuh"

// Adds up count (a power of two) values over the threads of a group. With every exchange a thread
// stays responsible for half of the values only; in the end for value sub_lane % count at most.
template <int count, int dist, int end>
__device__ __forceinline__ elt_t merge_sums(elt_t (&v)[count]) {
  if constexpr (dist == end) {
    static_assert(count == 1);
    return v[0];
  } else if constexpr (count == 1) {
    elt_t w[1] = {v[0] + __shfl_xor_sync(~0u, v[0], dist)};
    return merge_sums<1, 2 * dist, end>(w);
  } else {
    const bool upper = threadIdx.x & dist;
    elt_t w[count / 2];
    for (int k = 0; k < count / 2; k++) {
      const elt_t mine = upper ? v[2 * k + 1] : v[2 * k];
      const elt_t yours = upper ? v[2 * k] : v[2 * k + 1];
      w[k] = mine + __shfl_xor_sync(~0u, yours, dist);
    }
    return merge_sums<count / 2, 2 * dist, end>(w);
  }
}

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  const int tid = threadIdx.x + blockIdx.x * blockDim.x;
  const int n_threads = blockDim.x * gridDim.x;
  const int lane = threadIdx.x % 32, sub_lane = lane % grp_size;
  constexpr int vecs_per_warp = 32 / grp_size;
  constexpr int vecs_per_iter = vecs_per_warp * unroll_degree;
  constexpr int share = d_l / grp_size;
  // A group of 4 cannot hold the sums of 8 vectors: then two butterflies of 4.
  constexpr int at_once = unroll_degree < grp_size ? unroll_degree : grp_size;
  constexpr int apart = vecs_per_warp * d_l;

  const int n_l_full = n_l - n_l % vecs_per_iter;
  const int h_start = tid / 32 * vecs_per_iter + lane / grp_size;
  const int h_inc = n_threads / 32 * vecs_per_iter;

  for (int hi = h_start; hi < n_l_full; hi += h_inc) {
    const size_t start = size_t(hi) * d_l + sub_lane;
    elt_t x[unroll_degree][share];
    for (int j = 0; j < unroll_degree; j++)
      for (int i = 0; i < share; i++) x[j][i] = l_in[start + j * apart + i * grp_size];

    for (int first = 0; first < unroll_degree; first += at_once) {
      elt_t sums[at_once]{};
      for (int j = 0; j < at_once; j++)
        for (int i = 0; i < share; i++) sums[j] += x[first + j][i];
      const elt_t part = merge_sums<at_once, 1, grp_size>(sums) * (elt_t(-1) / d_l);
      // Value j is with the threads whose number ends in the bits of j.
      for (int j = 0; j < at_once; j++) {
        const elt_t avg = at_once == 1 ? part : __shfl_sync(~0u, part, j, grp_size);
        for (int i = 0; i < share; i++)
          l_out[start + (first + j) * apart + i * grp_size] = x[first + j][i] + avg;
      }
    }
  }
  for (int h = n_l_full + tid; h < n_l; h += n_threads)
    norm_vector<d_l>(l_out, l_in, h);
}
