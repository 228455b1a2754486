// SPDX-License-Identifier: Apache-2.0
// Style: each group shuffles by itself under a mask of its own threads, so that groups may leave
// the loop one by one and nothing is left over.
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

// The threads of my group, as bits.
template <int grp_size>
__device__ unsigned group_mask() {
  constexpr unsigned first_group = ~0u >> (32 - grp_size);
  return first_group << (threadIdx.x % 32 / grp_size * grp_size);
}

template <int grp_size>
__device__ elt_t group_sum(elt_t thd_sum, unsigned mask) {
  for (int dist = 1; dist < grp_size; dist <<= 1) thd_sum += __shfl_xor_sync(mask, thd_sum, dist);
  return thd_sum;
}

template <int d_l, int grp_size>
__global__ void norm_group(elt_t* l_out, const elt_t* l_in, int n_l) {
  const int group = (threadIdx.x + blockIdx.x * blockDim.x) / grp_size;
  const int n_groups = blockDim.x * gridDim.x / grp_size;
  const unsigned mask = group_mask<grp_size>();
  for (int h = group; h < n_l; h += n_groups) {
    const elt_t* const in = l_in + size_t(h) * d_l + threadIdx.x % grp_size;
    elt_t* const out = l_out + size_t(h) * d_l + threadIdx.x % grp_size;
    elt_t x[d_l / grp_size], sum = 0;
    for (int i = 0; i < d_l; i += grp_size) sum += x[i / grp_size] = in[i];
    sum = group_sum<grp_size>(sum, mask);
    for (int i = 0; i < d_l; i += grp_size) out[i] = x[i / grp_size] - sum / d_l;
  }
}
