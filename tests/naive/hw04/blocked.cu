// SPDX-License-Identifier: Apache-2.0
// Style: a thread of reduce_6 to reduce_8 takes elements that are neighbours, so a warp reads with gaps.
// Expect: partial 60..80
#define OWN_6
#define OWN_7
#define OWN_8
#include "../../hostile/given04.cuh"

template <int threads>
__global__ void reduce_6(unsigned* parts, const unsigned* in, int n) {
  const int n_threads = gridDim.x * threads, share = (n - 1) / n_threads + 1;
  const int first = (blockIdx.x * threads + threadIdx.x) * share;
  unsigned mine = 0;
  for (int i = first; i < first + share && i < n; i++) mine += in[i];
  const unsigned sum = block_sum<threads>(mine);
  if (threadIdx.x == 0) parts[blockIdx.x] = sum;
}

template <int threads>
__global__ void reduce_7(unsigned* parts, const unsigned* in, int n) {
  const int n_threads = gridDim.x * threads, share = (n - 1) / n_threads + 1;
  const int first = (blockIdx.x * threads + threadIdx.x) * share;
  unsigned mine = 0;
  for (int i = first; i < first + share && i < n; i++) mine += in[i];
  const unsigned sum = block_sum<threads>(mine);
  if (threadIdx.x == 0) parts[blockIdx.x] = sum;
}

template <int threads>
__global__ void reduce_8(unsigned* parts, const unsigned* in, int n) {
  const int n_threads = gridDim.x * threads, share = (n / 4 + n_threads - 1) / n_threads;
  const int thread = blockIdx.x * threads + threadIdx.x;
  const uint4* in4 = reinterpret_cast<const uint4*>(in);
  unsigned mine = 0;
  for (int i = thread * share; i < (thread + 1) * share && i < n / 4; i++)
    mine += in4[i].x + in4[i].y + in4[i].z + in4[i].w;
  if (thread < n % 4) mine += in[n - 1 - thread];
  const unsigned sum = block_sum<threads>(mine);
  if (threadIdx.x == 0) parts[blockIdx.x] = sum;
}
