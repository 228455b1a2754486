// SPDX-License-Identifier: Apache-2.0
// Attack: computes in half precision.
// Expect: fail 0..0
#include <cuda_fp16.h>
#include "../given.cuh"

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  const int tid = threadIdx.x + blockIdx.x * blockDim.x;
  for (int h = tid; h < n_l; h += blockDim.x * gridDim.x) {
    __half sum = __float2half(0.0f);
    for (int i = 0; i < d_l; i++) sum = __hadd(sum, __float2half(l_in[size_t(h) * d_l + i]));
    const float avg = __half2float(sum) / d_l;
    for (int i = 0; i < d_l; i++)
      l_out[size_t(h) * d_l + i] = __half2float(__float2half(l_in[size_t(h) * d_l + i] - avg));
  }
}
