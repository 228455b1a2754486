// SPDX-License-Identifier: Apache-2.0
// Style: assertions in helper templates. The names of functions, which assertions keep, are
// variables of the module, one for each instance: more than 4 KiB of them. The assertions' own
// instructions are counted, which may cost a point or two.
// Expect: pass|partial 85..100
#include <cassert>
#include "../../hostile/given.cuh"

template <int d_l, int grp_size, int unroll_degree>
__device__ void check_that_all_pointers_are_aligned(const elt_t* l_out, const elt_t* l_in) {
  assert(size_t(l_out) % (d_l * sizeof(elt_t)) == 0);
  assert(size_t(l_in) % (d_l * sizeof(elt_t)) == 0);
}

template <int d_l, int grp_size, int unroll_degree>
__device__ void check_that_there_are_vectors_and_room_for_them(const elt_t* l_out, int n_l) {
  assert(l_out != nullptr);
  assert(n_l > 0);
}

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  if (n_l <= 0) {
    check_that_all_pointers_are_aligned<d_l, grp_size, unroll_degree>(l_out, l_in);
    check_that_there_are_vectors_and_room_for_them<d_l, grp_size, unroll_degree>(l_out, n_l);
  }
  const int tid = threadIdx.x + blockIdx.x * blockDim.x;
  const int n_threads = blockDim.x * gridDim.x;
  const int sub_lane = threadIdx.x % grp_size;
  constexpr int vecs_per_warp = 32 / grp_size;
  constexpr int vecs_per_iter = vecs_per_warp * unroll_degree;
  const int n_l_full = n_l - n_l % vecs_per_iter;
  const int h_start = tid / 32 * vecs_per_iter + threadIdx.x % 32 / grp_size;
  const int h_inc = n_threads / 32 * vecs_per_iter;
  constexpr int per_thread = d_l / grp_size;
  for (int hi = h_start; hi < n_l_full; hi += h_inc) {
    elt_t kept[unroll_degree][per_thread];
    const elt_t* in = l_in + size_t(hi) * d_l + sub_lane;
    elt_t* out = l_out + size_t(hi) * d_l + sub_lane;
    for (int j = 0; j < unroll_degree; j++)
      for (int i = 0; i < per_thread; i++)
        kept[j][i] = in[j * vecs_per_warp * d_l + i * grp_size];
    for (int j = 0; j < unroll_degree; j++) {
      elt_t sum = 0;
      for (int i = 0; i < per_thread; i++) sum += kept[j][i];
      sum = group_sum<grp_size>(sum) / d_l;
      for (int i = 0; i < per_thread; i++)
        out[j * vecs_per_warp * d_l + i * grp_size] = kept[j][i] - sum;
    }
  }
  for (int h = n_l_full + tid; h < n_l; h += n_threads)
    norm_vector<d_l>(l_out, l_in, h);
}
