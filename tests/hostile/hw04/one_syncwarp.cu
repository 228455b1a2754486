// SPDX-License-Identifier: Apache-2.0
// Attack: the last warp of reduce_4 synchronizes after each step, but within a step a lane may store before
// another has loaded what was there.
// Expect: partial 88..90
// Expect gpu: pass|partial 60..100
#define OWN_4
#include "../given04.cuh"

// Between a load of another lane and the next store there is nothing.
__device__ void last_warp(unsigned* v, int t) {
  v[t] += v[t + 32];
  __syncwarp();
  v[t] += v[t + 16];
  __syncwarp();
  v[t] += v[t + 8];
  __syncwarp();
  v[t] += v[t + 4];
  __syncwarp();
  v[t] += v[t + 2];
  __syncwarp();
  v[t] += v[t + 1];
}

__global__ void reduce_4(unsigned* parts, const unsigned* in, int n) {
  const int t = threadIdx.x;
  const int i = blockIdx.x * 2 * blockDim.x + t, j = i + blockDim.x;
  s[t] = (i < n ? in[i] : 0) + (j < n ? in[j] : 0);
  __syncthreads();
  for (int d = blockDim.x / 2; d > 32; d /= 2) {
    if (t < d) s[t] += s[t + d];
    __syncthreads();
  }
  if (t < 32) last_warp(s, t);
  if (t == 0) parts[blockIdx.x] = s[0];
}
