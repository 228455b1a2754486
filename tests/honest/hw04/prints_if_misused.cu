// SPDX-License-Identifier: Apache-2.0
// Style: one thread says by printf if a kernel is launched with another number of threads than it was made for, which
// never happens.
// Expect: pass 100..100
#define OWN_6
#define OWN_7
#define OWN_8
#include <cstdio>
#include "../../hostile/given04.cuh"

template <int threads>
__device__ void check_launch(const char* kernel) {
  if (blockDim.x == threads) return;
  if (blockIdx.x == 0 && threadIdx.x == 0)
    printf("%s<%d> launched with %d threads\n", kernel, threads, blockDim.x);
}

template <int threads>
__global__ void reduce_6(unsigned* parts, const unsigned* in, int n) {
  check_launch<threads>("reduce_6");
  const int t = threadIdx.x;
  unsigned mine = 0;
  for (int i = blockIdx.x * threads + t; i < n; i += gridDim.x * threads)
    mine += in[i];
  s[t] = mine;
  __syncthreads();
  for (int d = threads / 2; d > 32; d /= 2) {
    if (t < d) s[t] += s[t + d];
    __syncthreads();
  }
  if (t >= 32) return;
  const unsigned sum = last_warp_sum(t);
  if (t == 0) parts[blockIdx.x] = sum;
}

template <int threads>
__global__ void reduce_7(unsigned* parts, const unsigned* in, int n) {
  check_launch<threads>("reduce_7");
  unsigned mine = 0;
  const int first = blockIdx.x * threads + threadIdx.x;
  for (int i = first; i < n; i += gridDim.x * threads) mine += in[i];
  const unsigned sum = block_sum<threads>(mine);
  if (threadIdx.x == 0) parts[blockIdx.x] = sum;
}

template <int threads>
__global__ void reduce_8(unsigned* parts, const unsigned* in, int n) {
  check_launch<threads>("reduce_8");
  constexpr int in_flight = 4;
  constexpr int tile = threads * in_flight;
  const uint4* const in4 = reinterpret_cast<const uint4*>(in);
  const int n_tiles = n / 4 / tile;

  unsigned mine = 0;
  for (int h = blockIdx.x; h < n_tiles; h += gridDim.x) {
    const int first = h * tile + threadIdx.x;
    uint4 v[in_flight];
    for (int j = 0; j < in_flight; j++) v[j] = in4[first + j * threads];
    for (int j = 0; j < in_flight; j++)
      mine += v[j].x + v[j].y + v[j].z + v[j].w;
  }

  const int left = n_tiles * tile * 4 + blockIdx.x * threads + threadIdx.x;
  for (int i = left; i < n; i += gridDim.x * threads) mine += in[i];
  const unsigned sum = block_sum<threads>(mine);
  if (threadIdx.x == 0) parts[blockIdx.x] = sum;
}
