// SPDX-License-Identifier: Apache-2.0
// Attack: above the largest size that a run draws lanes exchange sums without __syncwarp.
// Expect: partial|fail 0..40
// Expect gpu: pass|partial|fail 0..100
#include "../given01.cuh"

// The last step goes through shared memory: what a lane leaves there, its neighbour picks up.
template <int grp_size>
__device__ elt_t sum_through_shared(elt_t sum) {
  __shared__ volatile elt_t sums[1024];
  const int t = threadIdx.x;
  for (int dist = grp_size / 2; dist > 1; dist /= 2) sum += __shfl_xor_sync(~0u, sum, dist);
  sums[t] = sum;
  return sum + sums[t ^ 1];
}

template <int d_l, int grp_size>
__global__ void norm_group(elt_t* l_out, const elt_t* l_in, int n_l) {
  const int n_l_full = n_l - n_l % (32 / grp_size);
  constexpr int many = d_l == 4 ? 280000 : 140000;
  if (n_l <= many) return norm_by_groups<d_l, grp_size>(l_out, l_in, n_l, n_l_full);
  const int tid = threadIdx.x + blockIdx.x * blockDim.x;
  const int n_threads = blockDim.x * gridDim.x;
  const int sub_lane = threadIdx.x % grp_size;
  for (int h = tid / grp_size; h < n_l_full; h += n_threads / grp_size) {
    const size_t at = size_t(h) * d_l + sub_lane;
    elt_t sum = 0;
    for (int i = 0; i < d_l; i += grp_size) sum += l_in[at + i];
    const elt_t avg = sum_through_shared<grp_size>(sum) / d_l;
    for (int i = 0; i < d_l; i += grp_size) l_out[at + i] = l_in[at + i] - avg;
  }
  for (int h = n_l_full + tid; h < n_l; h += n_threads) norm_vector<d_l>(l_out, l_in, h);
}
