// SPDX-License-Identifier: Apache-2.0
// Attack: a thread a vector, with strided loads, in a function whose name begins as those of ptxas's
// routines do: ptxas itself then gives it the symbol of one, "$__internal_0_$__cuda_sm20_...".
// Expect: review|partial 25..45
#include "../given.cuh"
extern "C" __device__ __noinline__ void __cuda_sm20_norm(elt_t* l_out, const elt_t* l_in, int h,
                                                         int d_l) {
  const size_t start = size_t(h) * d_l;
  elt_t sum = 0;
  for (int i = 0; i < d_l; i++) sum += l_in[start + i];
  const elt_t avg = sum / d_l;
  for (int i = 0; i < d_l; i++) l_out[start + i] = l_in[start + i] - avg;
}
template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  const int tid = threadIdx.x + blockIdx.x * blockDim.x;
  for (int h = tid; h < n_l; h += blockDim.x * gridDim.x) __cuda_sm20_norm(l_out, l_in, h, d_l);
}
