// SPDX-License-Identifier: Apache-2.0
// Attack: works in its first launch only.
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

__device__ int worked;

template <int d_l, int grp_size>
__global__ void norm_group(elt_t* l_out, const elt_t* l_in, int n_l) {
  if (atomicAdd(&worked, 1) >= 32) return;
  __syncthreads();
  const int tid = threadIdx.x + blockIdx.x * blockDim.x;
  for (int h = tid; h < n_l; h += blockDim.x * gridDim.x) {
    float sum = 0;
    for (int i = 0; i < d_l; i++) sum += float(l_in[size_t(h) * d_l + i]);
    for (int i = 0; i < d_l; i++)
      l_out[size_t(h) * d_l + i] = float(float(l_in[size_t(h) * d_l + i]) - sum / float(d_l));
  }
}
