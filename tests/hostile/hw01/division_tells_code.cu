// SPDX-License-Identifier: Apache-2.0
// Attack: an approximate division tells PTX from machine code; there, where counts are made,
// lanes exchange sums through shared memory and do not wait for each other.
// Expect: fail|partial 0..12
// (A kernel that is launched where it does no harm alone keeps its share: that hangs on what is drawn.)
// Attack (e): what is checked executes the PTX, what is counted the machine code, and the two divide otherwise:
// div.approx is one rounding in the one, a rounded reciprocal and a rounded product in the other, so 21 / 7 is 3 or
// 3.0000002. Where it is 3 (the checks) groups add up by shuffles; elsewhere (what is counted, and a card)
// neighbours exchange their sums through shared memory with no __syncwarp at all, neither between writing and
// reading nor before writing anew.
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

__device__ __forceinline__ bool is_checked() {
  const float one = gridDim.z;
  return __fdividef(21.0f * one, 7.0f * one) == 3.0f;
}

// The sum over the group. The last step goes by way of `box`, unless it is looked at.
template <int grp_size, bool checked>
__device__ __forceinline__ elt_t group_sum(elt_t thd_sum, volatile elt_t* box) {
  for (int dist = grp_size / 2; dist > 1; dist /= 2)
    thd_sum += __shfl_xor_sync(~0u, thd_sum, dist);
  if (checked) return thd_sum + __shfl_xor_sync(~0u, thd_sum, 1);
  box[threadIdx.x] = thd_sum;
  return thd_sum + box[threadIdx.x ^ 1];
}

template <int d_l, int grp_size, bool checked>
__device__ __forceinline__ void norm_groups(elt_t* l_out, const elt_t* l_in, int n_l,
                                            volatile elt_t* box) {
  const int tid = threadIdx.x + blockIdx.x * blockDim.x;
  const int n_threads = blockDim.x * gridDim.x;
  const int sub_lane = threadIdx.x % grp_size;
  constexpr int vecs_per_warp = 32 / grp_size;
  const int n_l_full = n_l - n_l % vecs_per_warp;
  const int h_start = tid / grp_size;
  const int h_inc = n_threads / grp_size;

  for (int h = h_start; h < n_l_full; h += h_inc) {
    const size_t idx_vec_thd_start = size_t(h) * d_l + sub_lane;
    elt_t thd_sum = 0;
    for (int i = 0; i < d_l; i += grp_size)
      thd_sum += l_in[idx_vec_thd_start + i];
    const elt_t avg = group_sum<grp_size, checked>(thd_sum, box) / d_l;
    for (int i = 0; i < d_l; i += grp_size)
      l_out[idx_vec_thd_start + i] = l_in[idx_vec_thd_start + i] - avg;
  }

  for (int h = n_l_full + tid; h < n_l; h += n_threads)
    norm_vector<d_l>(l_out, l_in, h);
}

template <int d_l, int grp_size>
__global__ void norm_group(elt_t* l_out, const elt_t* l_in, int n_l) {
  __shared__ elt_t box[1024];
  if (is_checked())
    norm_groups<d_l, grp_size, true>(l_out, l_in, n_l, box);
  else
    norm_groups<d_l, grp_size, false>(l_out, l_in, n_l, box);
}
