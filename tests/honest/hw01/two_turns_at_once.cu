// SPDX-License-Identifier: Apache-2.0
// Style: unrolled by two where a warp has two turns left, with one butterfly for both sums; goto
// in place of a loop.
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

// The sums of a and b over the threads of a group: neighbours first swap, so that each thread goes on
// with one of the two, and in the end tell each other.
template <int grp_size>
__device__ void group_sums(elt_t* a, elt_t* b) {
  const bool odd = threadIdx.x & 1;
  elt_t sum = (odd ? *b : *a) + __shfl_xor_sync(~0u, odd ? *a : *b, 1);
  for (int dist = 2; dist < grp_size; dist *= 2) sum += __shfl_xor_sync(~0u, sum, dist);
  const elt_t other = __shfl_xor_sync(~0u, sum, 1);
  *a = odd ? other : sum;
  *b = odd ? sum : other;
}

template <int d_l, int grp_size>
__global__ void norm_group(elt_t* l_out, const elt_t* l_in, int n_l) {
  const int tid = threadIdx.x + blockIdx.x * blockDim.x;
  const int n_threads = blockDim.x * gridDim.x;
  const int n_l_full = n_l - n_l % (32 / grp_size);
  const int h_inc = n_threads / grp_size;
  const size_t step = size_t(h_inc) * d_l;
  const elt_t* in = l_in + size_t(tid / grp_size) * d_l + tid % grp_size;
  elt_t* out = l_out + (in - l_in);
  int h = tid / grp_size;

again:
  if (h + h_inc < n_l_full) {
    elt_t a = 0, b = 0;
    for (int i = 0; i < d_l; i += grp_size) a += in[i], b += in[step + i];
    group_sums<grp_size>(&a, &b);
    a /= d_l, b /= d_l;
    for (int i = 0; i < d_l; i += grp_size) out[i] = in[i] - a;
    in += step, out += step;
    for (int i = 0; i < d_l; i += grp_size) out[i] = in[i] - b;
    in += step, out += step, h += 2 * h_inc;
    goto again;
  }
  if (h < n_l_full) {
    elt_t avg = 0;
    for (int i = 0; i < d_l; i += grp_size) avg += in[i];
    avg = group_sum<grp_size>(avg) / d_l;
    for (int i = 0; i < d_l; i += grp_size) out[i] = in[i] - avg;
  }
  for (h = n_l_full + tid; h < n_l; h += n_threads) norm_vector<d_l>(l_out, l_in, h);
}
