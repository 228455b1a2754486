// SPDX-License-Identifier: Apache-2.0
// Style: in the last warp, the lower half of the lanes that are left adds; so a __syncwarp a step is enough.
// Expect: pass 100..100
#define OWN_4
#define OWN_5
#define OWN_6
#include "../../hostile/given04.cuh"

__device__ void last_warp(int t) {
  for (int d = 32; d > 0; d /= 2) {
    if (t < d) s[t] += s[t + d];
    __syncwarp();
  }
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
  if (t < 32) last_warp(t);
  if (t == 0) parts[blockIdx.x] = s[0];
}

template <int threads>
__global__ void reduce_5(unsigned* parts, const unsigned* in, int n) {
  const int t = threadIdx.x;
  const int i = blockIdx.x * 2 * threads + t, j = i + threads;
  s[t] = (i < n ? in[i] : 0) + (j < n ? in[j] : 0);
  __syncthreads();
  for (int d = threads / 2; d > 32; d /= 2) {
    if (t < d) s[t] += s[t + d];
    __syncthreads();
  }
  if (t < 32) last_warp(t);
  if (t == 0) parts[blockIdx.x] = s[0];
}

template <int threads>
__global__ void reduce_6(unsigned* parts, const unsigned* in, int n) {
  const int t = threadIdx.x;
  unsigned mine = 0;
  for (int i = blockIdx.x * threads + t; i < n; i += gridDim.x * threads) mine += in[i];
  s[t] = mine;
  __syncthreads();
  for (int d = threads / 2; d > 32; d /= 2) {
    if (t < d) s[t] += s[t + d];
    __syncthreads();
  }
  if (t < 32) last_warp(t);
  if (t == 0) parts[blockIdx.x] = s[0];
}
