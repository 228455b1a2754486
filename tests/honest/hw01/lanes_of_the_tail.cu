// SPDX-License-Identifier: Apache-2.0
// Style: no thread takes a vector alone: all warps go round until none of its groups has a vector,
// and groups without one add up zeros.
// Expect: pass 100..100
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

template <int grp_size>
__device__ elt_t group_sum(elt_t thd_sum) {
  for (int dist = grp_size / 2; dist > 0; dist /= 2)
    thd_sum += __shfl_xor_sync(~0u, thd_sum, dist);
  return thd_sum;
}

template <int d_l, int grp_size>
__global__ void norm_group(elt_t* l_out, const elt_t* l_in, int n_l) {
  constexpr int vecs_per_warp = 32 / grp_size;
  const int warp = (threadIdx.x + blockIdx.x * blockDim.x) / 32;
  const int n_warps = blockDim.x * gridDim.x / 32;
  const int group = threadIdx.x % 32 / grp_size;
  const size_t mine = size_t(group) * d_l + threadIdx.x % grp_size;

  // The same number of turns for all 32 threads: h_warp is the first vector of the warp.
  for (int h_warp = warp * vecs_per_warp; h_warp < n_l; h_warp += n_warps * vecs_per_warp) {
    const bool have_vector = h_warp + group < n_l;
    const size_t at = size_t(h_warp) * d_l + mine;
    elt_t x[d_l / grp_size]{}, sum = 0;
    if (have_vector)
      for (int i = 0; i < d_l / grp_size; i++) x[i] = l_in[at + i * grp_size];
    for (const elt_t e : x) sum += e;
    const elt_t avg = group_sum<grp_size>(sum) * (1.f / d_l);
    if (have_vector)
      for (int i = 0; i < d_l / grp_size; i++) l_out[at + i * grp_size] = x[i] - avg;
  }
}
