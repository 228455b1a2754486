// SPDX-License-Identifier: Apache-2.0
// Attack: right only where groups and vectors go up evenly.
// Expect: fail 0..0
using elt_t = float;

template <int d_l>
__global__ void norm_base(elt_t* l_out, const elt_t* l_in, int n_l) {
  const int tid = threadIdx.x + blockIdx.x * blockDim.x;
  const int n_threads = blockDim.x * gridDim.x;
  for (int h = tid; h < n_l; h += n_threads) {
    const size_t idx_vec_start = size_t(h) * d_l;
    elt_t sum = 0;
    for (int i = 0; i < d_l; i++) sum += l_in[idx_vec_start + i];
    const elt_t avg = sum / d_l;
    for (int i = 0; i < d_l; i++) l_out[idx_vec_start + i] = l_in[idx_vec_start + i] - avg;
  }
}

template <int d_l, int grp_size>
__global__ void norm_group(elt_t* l_out, const elt_t* l_in, int n_l) {
  const int tid = threadIdx.x + blockIdx.x * blockDim.x;
  const int sub_lane = threadIdx.x % grp_size;
  constexpr int vecs_per_warp = 32 / grp_size;
  const int n_l_full = n_l - n_l % (vecs_per_warp * 8);
  for (int h = tid / grp_size; h < n_l_full; h += blockDim.x * gridDim.x / grp_size) {
    elt_t sum = 0;
    for (int i = sub_lane; i < d_l; i += grp_size) sum += l_in[size_t(h) * d_l + i];
    for (int dist = grp_size / 2; dist > 0; dist /= 2) sum += __shfl_xor_sync(~0u, sum, dist);
    for (int i = sub_lane; i < d_l; i += grp_size)
      l_out[size_t(h) * d_l + i] = l_in[size_t(h) * d_l + i] - sum / d_l;
  }
}
