// SPDX-License-Identifier: Apache-2.0
// Style: the sum comes to the first thread of a group by shuffles downwards, and goes back to all
// by one more; a loop that counts the turns that are left.
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

// Only the first thread of the group ends with the whole sum; it then tells the others.
template <int grp_size>
__device__ elt_t group_sum(elt_t thd_sum) {
  int dist = grp_size;
  while (dist >>= 1) thd_sum += __shfl_down_sync(0xffffffffu, thd_sum, dist, grp_size);
  return __shfl_sync(0xffffffffu, thd_sum, 0, grp_size);
}

template <int d_l, int grp_size>
__global__ void norm_group(elt_t* l_out, const elt_t* l_in, int n_l) {
  constexpr int vecs_per_warp = 32 / grp_size, elts_per_warp = vecs_per_warp * d_l;
  const int lane = threadIdx.x % warpSize;
  const int warp = blockIdx.x * (blockDim.x / warpSize) + threadIdx.x / warpSize;
  const int n_warps = gridDim.x * (blockDim.x / warpSize);

  int turns = n_l / vecs_per_warp - warp;
  turns = turns <= 0 ? 0 : (turns - 1) / n_warps + 1;
  size_t at = size_t(warp) * elts_per_warp + lane / grp_size * d_l + lane % grp_size;
  for (; turns != 0; --turns, at += size_t(n_warps) * elts_per_warp) {
    elt_t share[d_l / grp_size], sum = 0;
    for (int i = 0; i < d_l / grp_size; i++) share[i] = l_in[at + i * grp_size];
    for (const elt_t x : share) sum += x;
    const elt_t avg = group_sum<grp_size>(sum) / d_l;
    for (int i = 0; i < d_l / grp_size; i++) l_out[at + i * grp_size] = share[i] - avg;
  }

  const int rest = n_l / vecs_per_warp * vecs_per_warp;
  for (int h = rest + warp * warpSize + lane; h < n_l; h += n_warps * warpSize)
    norm_vector<d_l>(l_out, l_in, h);
}
