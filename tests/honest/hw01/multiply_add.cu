// SPDX-License-Identifier: Apache-2.0
// Style: one pointer up to an end, the distance to the output added to it, one multiply-add in
// place of a division and a subtraction.
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
  constexpr int share = d_l / grp_size, vecs_per_warp = 32 / grp_size;
  const unsigned tid = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned n_threads = gridDim.x * blockDim.x;
  const int n_l_full = n_l / vecs_per_warp * vecs_per_warp;

  const elt_t* in = l_in + size_t(tid / grp_size) * d_l + tid % grp_size;
  const elt_t* const end = l_in + size_t(n_l_full) * d_l;
  const ptrdiff_t to_out = l_out - l_in;
  const size_t step = size_t(n_threads) * share;
  while (in < end) {
    elt_t x[share];
    elt_t sum = x[0] = in[0];
#pragma unroll
    for (int i = 1; i < share; i++) sum += x[i] = in[i * grp_size];
    sum = group_sum<grp_size>(sum);
    elt_t* const out = const_cast<elt_t*>(in) + to_out;
#pragma unroll
    for (int i = 0; i < share; i++) out[i * grp_size] = __fmaf_rn(sum, elt_t(-1) / d_l, x[i]);
    in += step;
  }
  for (int h = n_l_full + tid; h < n_l; h += n_threads) norm_vector<d_l>(l_out, l_in, h);
}
