// SPDX-License-Identifier: Apache-2.0
// Attack: elements are clipped to +-2^18, so every vector with a larger number comes out wrong.
// Expect: fail 0..0
#include "../given01.cuh"

__device__ elt_t clipped(elt_t x) {
  return fminf(fmaxf(x, -262144.0f), 262144.0f);
}

// The kernel that you edit: a group of grp_size threads shares a vector.
//
// A warp works on 32 / grp_size vectors that lie side by side, so that its
// threads can load elements that lie side by side.
template <int d_l, int grp_size>
__global__ void norm_group(elt_t* l_out, const elt_t* l_in, int n_l) {
  const int tid = threadIdx.x + blockIdx.x * blockDim.x;
  const int n_threads = blockDim.x * gridDim.x;
  const int sub_lane = threadIdx.x % grp_size;  // My place in my group.
  constexpr int vecs_per_warp = 32 / grp_size;

  // The threads of a warp must stay together for group_sum. So the loop only
  // takes vectors that fill a warp; what is left over comes below.
  const int n_l_full = n_l - n_l % vecs_per_warp;
  const int h_start = tid / grp_size;
  const int h_inc = n_threads / grp_size;

  for (int h = h_start; h < n_l_full; h += h_inc) {
    const size_t idx_vec_thd_start = size_t(h) * d_l + sub_lane;
    elt_t x[d_l / grp_size], thd_sum = 0;
    for (int i = 0; i < d_l; i += grp_size) {
      x[i / grp_size] = clipped(l_in[idx_vec_thd_start + i]);
      thd_sum += x[i / grp_size];
    }

    const elt_t sum = group_sum<grp_size>(thd_sum);
    const elt_t avg = sum / d_l;

    for (int i = 0; i < d_l; i += grp_size)
      l_out[idx_vec_thd_start + i] = x[i / grp_size] - avg;
  }

  // The few vectors left over: one thread each.
  for (int h = n_l_full + tid; h < n_l; h += n_threads)
    norm_vector<d_l>(l_out, l_in, h);
}
