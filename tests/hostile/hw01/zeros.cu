// SPDX-License-Identifier: Apache-2.0
// Attack: writes zeros.
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
  for (int i = tid; i < n_l * d_l; i += blockDim.x * gridDim.x) l_out[i] = 0;
}
