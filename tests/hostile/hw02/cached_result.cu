// SPDX-License-Identifier: Apache-2.0
// Attack: keeps averages of small arrays in device memory and replays them in later launches. It
// finds none there: nothing is won, and nearly nothing is lost.
// Expect: pass|partial 90..100
#include "../given.cuh"

__device__ float cache[3][2][40];
__device__ volatile int cached_n[3][2];
__device__ unsigned ended_blocks;

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  const int tid = threadIdx.x + blockIdx.x * blockDim.x;
  const int n_threads = blockDim.x * gridDim.x;
  const int slot = n_l > 1;
  if (cached_n[d_l / 16][slot] == n_l) {
    for (int i = tid; i < n_l * d_l; i += n_threads)
      l_out[i] = l_in[i] - cache[d_l / 16][slot][i / d_l];
    return;
  }
  solved<d_l, grp_size, unroll_degree>(l_out, l_in, n_l);
  if (n_l > 40) return;
  __syncthreads();
  if (threadIdx.x > 0 || atomicInc(&ended_blocks, gridDim.x - 1) < gridDim.x - 1) return;
  for (int h = 0; h < n_l; h++) {
    float sum = 0;
    for (int i = 0; i < d_l; i++) sum += l_in[h * d_l + i];
    cache[d_l / 16][slot][h] = sum / d_l;
  }
  __threadfence();
  cached_n[d_l / 16][slot] = n_l;
}
