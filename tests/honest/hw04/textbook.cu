// SPDX-License-Identifier: Apache-2.0
// Style: the textbooks' ladder of ifs, its last warp with a __syncwarp on each side of a store.
// Expect: pass 100..100
#define OWN_4
#define OWN_5
#define OWN_6
#include "../../hostile/given04.cuh"

__device__ void last_warp(int t) {
  unsigned v = s[t];
  v += s[t + 32]; __syncwarp(); s[t] = v; __syncwarp();
  v += s[t + 16]; __syncwarp(); s[t] = v; __syncwarp();
  v += s[t + 8]; __syncwarp(); s[t] = v; __syncwarp();
  v += s[t + 4]; __syncwarp(); s[t] = v; __syncwarp();
  v += s[t + 2]; __syncwarp(); s[t] = v; __syncwarp();
  v += s[t + 1]; __syncwarp(); s[t] = v; __syncwarp();
}

__global__ void reduce_4(unsigned* parts, const unsigned* in, int n) {
  const int t = threadIdx.x;
  const int i = blockIdx.x * 2 * blockDim.x + t, j = i + blockDim.x;
  s[t] = (i < n ? in[i] : 0) + (j < n ? in[j] : 0);
  __syncthreads();
  for (unsigned d = blockDim.x / 2; d > 32; d >>= 1) {
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
  if (threads >= 512) {
    if (t < 256) s[t] += s[t + 256];
    __syncthreads();
  }
  if (threads >= 256) {
    if (t < 128) s[t] += s[t + 128];
    __syncthreads();
  }
  if (threads >= 128) {
    if (t < 64) s[t] += s[t + 64];
    __syncthreads();
  }
  if (t < 32) last_warp(t);
  if (t == 0) parts[blockIdx.x] = s[0];
}

template <int threads>
__global__ void reduce_6(unsigned* parts, const unsigned* in, int n) {
  const int t = threadIdx.x;
  int i = blockIdx.x * 2 * threads + t;
  unsigned mine = 0;
  while (i < n) {
    mine += in[i];
    if (i + threads < n) mine += in[i + threads];
    i += gridDim.x * 2 * threads;
  }
  s[t] = mine;
  __syncthreads();
  if (threads >= 512) {
    if (t < 256) s[t] += s[t + 256];
    __syncthreads();
  }
  if (threads >= 256) {
    if (t < 128) s[t] += s[t + 128];
    __syncthreads();
  }
  if (threads >= 128) {
    if (t < 64) s[t] += s[t + 64];
    __syncthreads();
  }
  if (t < 32) last_warp(t);
  if (t == 0) parts[blockIdx.x] = s[0];
}
