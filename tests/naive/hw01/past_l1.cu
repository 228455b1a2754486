// SPDX-License-Identifier: Apache-2.0
// Style: loads that go past the L1 cache, and every element written twice: N*R and N*W are 2 or more.
// Expect: partial 35..90
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
  const int n_threads = blockDim.x * gridDim.x;
  constexpr int vecs_per_warp = 32 / grp_size;
  const int n_l_full = n_l - n_l % vecs_per_warp;
  const int first = threadIdx.x % grp_size;
  for (int h = tid / grp_size; h < n_l_full; h += n_threads / grp_size) {
    elt_t sum = 0;
    for (int i = first; i < d_l; i += grp_size) sum += __ldcg(l_in + size_t(h) * d_l + i);
    for (int dist = grp_size / 2; dist > 0; dist /= 2) sum += __shfl_xor_sync(~0u, sum, dist);
    for (int i = first; i < d_l; i += grp_size)
    {
      elt_t* const out = l_out + size_t(h) * d_l + i;
      *out = __ldcg(l_in + size_t(h) * d_l + i) - sum / d_l;
      __threadfence();
      __stcg(out, __ldcg(out));
    }
  }
  for (int h = n_l_full + tid; h < n_l; h += n_threads) {
    elt_t sum = 0;
    for (int i = 0; i < d_l; i++) sum += l_in[size_t(h) * d_l + i];
    for (int i = 0; i < d_l; i++) l_out[size_t(h) * d_l + i] = l_in[size_t(h) * d_l + i] - sum / d_l;
  }
}
