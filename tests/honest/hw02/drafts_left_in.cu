// SPDX-License-Identifier: Apache-2.0
// Style: what an editor needs and what was tried before, all of it switched off by the
// preprocessor.
// Expect: pass 100..100
#pragma once
#include "cuda_runtime.h"
#include "device_launch_parameters.h"
#ifdef __INTELLISENSE__
#include "/usr/local/cuda/include/sm_30_intrinsics.h"
#include "../common/for_my_editor.h"
#define __launch_bounds__(...)
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 700
#error "the shuffles below are those of Volta and later"
#endif

#include "../../hostile/given.cuh"

#if 0  // First try: lanes by assembly. Did not help, isn't needed.
#include "../old/hw02_monday.cu"
__device__ int lane_id() {
  int lane;
  asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane));
  return lane;
}
#line 1 "monday"
#elif 0
  it's not even C++
#endif

#define VECTORS_A_WARP (32 / grp_size)
#define VECTORS_A_TURN \
  (VECTORS_A_WARP *    \
   unroll_degree)
#define UNROLL _Pragma("unroll")

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  const int tid = threadIdx.x + blockIdx.x * blockDim.x;
  const int n_threads = blockDim.x * gridDim.x;
  const int n_l_full = n_l - n_l % VECTORS_A_TURN;
  int hi = tid / 32 * VECTORS_A_TURN + threadIdx.x % 32 / grp_size;
  for (; hi < n_l_full; hi += n_threads / 32 * VECTORS_A_TURN) {
    const elt_t* in = l_in + size_t(hi) * d_l + threadIdx.x % grp_size;
    elt_t *out = l_out + size_t(hi) * d_l + threadIdx.x % grp_size, avg[unroll_degree];
    UNROLL for (int j = 0; j < unroll_degree; j++) {
      avg[j] = 0;
      UNROLL for (int i = 0; i < d_l; i += grp_size) avg[j] += in[j * VECTORS_A_WARP * d_l + i];
    }
    UNROLL for (int j = 0; j < unroll_degree; j++) avg[j] = group_sum<grp_size>(avg[j]) / d_l;
    UNROLL for (int j = 0; j < unroll_degree; j++) {
#if 1
      UNROLL for (int i = 0; i < d_l; i += grp_size) out[j * VECTORS_A_WARP * d_l + i] =
          in[j * VECTORS_A_WARP * d_l + i] - avg[j];
#else
      out[j] = in[j] - avg[j] /* wrong: "j" is no distance */
#endif
    }
  }
  for (int h = n_l_full + tid; h < n_l; h += n_threads) norm_vector<d_l>(l_out, l_in, h);
}
