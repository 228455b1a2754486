// SPDX-License-Identifier: Apache-2.0
// Style: switches off the header's operators for halves, as its documentation tells, and has some of his own.
// Expect: pass 100..100
#define __CUDA_NO_HALF_OPERATORS__
#include <cuda_fp16.h>
#include "../../hostile/given.cuh"

// In float, and rounded once.
__device__ __forceinline__ __half operator+(const __half& a, const __half& b) {
  return __float2half_rn(__half2float(a) + __half2float(b));
}

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  solved<d_l, grp_size, unroll_degree>(l_out, l_in, n_l);
}
