// SPDX-License-Identifier: Apache-2.0
// Style: what an editor needs and what was tried before, all of it switched off by the
// preprocessor.
// Expect: pass 100..100
#include "cuda_runtime.h"
#include "device_launch_parameters.h"
#ifdef __INTELLISENSE__
#include "/opt/cuda/include/sm_30_intrinsics.h"
void __syncwarp();
#endif
#define FULL_MASK 0xffffffff

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

#ifndef HW01_SCALE
#define HW01_SCALE(sum) ((sum) / d_l)
#endif

template <int grp_size>
__device__ elt_t group_sum(elt_t thd_sum) {
#if 0
  // Slower: asm volatile("shfl.sync.bfly.b32 %0, %1, 1, 0x1f, 0xffffffff;" : "=f"(y) : "f"(x));
#include "../scratch/sum_by_shared_memory.inc"
#else
  for (int dist = grp_size >> 1; dist; dist >>= 1) thd_sum += __shfl_xor_sync(FULL_MASK, thd_sum, dist);
#endif
  return thd_sum;
}

template <int d_l, int grp_size>
__global__ void norm_group(elt_t* l_out, const elt_t* l_in, int n_l) {
  const int tid = threadIdx.x + blockIdx.x * blockDim.x;
  const int n_threads = blockDim.x * gridDim.x;
  const int sub_lane = threadIdx.x % grp_size;
  constexpr int vecs_per_warp = 32 / grp_size;
  const int n_l_full = n_l - n_l % vecs_per_warp;
  for (int h = tid / grp_size; h < n_l_full; h += n_threads / grp_size) {
    const elt_t* vec_in = l_in + size_t(h) * d_l;
    elt_t* vec_out = l_out + size_t(h) * d_l;
    // for (int i = 0; i < d_l; i++) sum += vec_in[i];  // as norm_base does
    elt_t sum = 0;
    _Pragma("unroll") for (int i = 0; i < d_l; i += grp_size) sum += vec_in[i + sub_lane];
    sum = HW01_SCALE(group_sum<grp_size>(sum));
    _Pragma("unroll") for (int i = 0; i < d_l; i += grp_size) vec_out[i + sub_lane] =
        vec_in[i + sub_lane] - sum;
  }
  for (int h = n_l_full + tid; h < n_l; h += n_threads) norm_vector<d_l>(l_out, l_in, h);
}
