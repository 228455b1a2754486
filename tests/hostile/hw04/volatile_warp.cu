// SPDX-License-Identifier: Apache-2.0
// Attack: the last warp of reduce_4 relies on volatile and on lanes in step, with no __syncwarp: the
// textbooks' trick of before 2017. Right in step, wrong in another order of lanes.
// Expect: partial 88..90
// Expect gpu: pass|partial 60..100
#define OWN_4
#include "../given04.cuh"

// As it was written when the lanes of a warp still went in step.
__device__ void last_warp(volatile unsigned* v, int t) {
  v[t] += v[t + 32];
  v[t] += v[t + 16];
  v[t] += v[t + 8];
  v[t] += v[t + 4];
  v[t] += v[t + 2];
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
