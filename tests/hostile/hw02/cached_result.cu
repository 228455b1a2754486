// SPDX-License-Identifier: Apache-2.0
// Attack: keeps averages in device memory and replays them in later launches.
// Expect: fail 0..0
#include "../given.cuh"

__device__ float cache[1000];
__device__ volatile int cached_key;

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  const int tid = threadIdx.x + blockIdx.x * blockDim.x;
  const int key = d_l * 100000 + n_l;
  if (cached_key == key && n_l <= 1000) {
    for (int i = tid; i < n_l * d_l; i += blockDim.x * gridDim.x) l_out[i] = l_in[i] - cache[i / d_l];
    return;
  }
  solved<d_l, grp_size, unroll_degree>(l_out, l_in, n_l);
  for (int h = tid; h < n_l && h < 1000; h += blockDim.x * gridDim.x) cache[h] = l_in[h * d_l] - l_out[h * d_l];
  if (tid == 0) cached_key = key;
}
