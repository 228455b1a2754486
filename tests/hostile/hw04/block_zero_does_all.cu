// SPDX-License-Identifier: Apache-2.0
// Attack: one block adds up everything in reduce_1 to reduce_3, so that few instructions go into trees. The
// parts of these are looked at.
// Expect: partial 68..71
#define OWN_1
#define OWN_2
#define OWN_3
#include "../given04.cuh"

__global__ void reduce_1(unsigned* parts, const unsigned* in, int n) {
  unsigned mine = 0;
  if (blockIdx.x == 0)
    for (int i = threadIdx.x; i < n; i += blockDim.x) mine += in[i];
  if (blockIdx.x > 0 && threadIdx.x == 0) parts[blockIdx.x] = 0;
  if (blockIdx.x > 0) return;
  const unsigned sum = block_sum<128>(mine);
  if (threadIdx.x == 0) parts[0] = sum;
}

__global__ void reduce_2(unsigned* parts, const unsigned* in, int n) {
  unsigned mine = 0;
  if (blockIdx.x == 0)
    for (int i = threadIdx.x; i < n; i += blockDim.x) mine += in[i];
  if (blockIdx.x > 0 && threadIdx.x == 0) parts[blockIdx.x] = 0;
  if (blockIdx.x > 0) return;
  const unsigned sum = block_sum<128>(mine);
  if (threadIdx.x == 0) parts[0] = sum;
}

__global__ void reduce_3(unsigned* parts, const unsigned* in, int n) {
  unsigned mine = 0;
  if (blockIdx.x == 0)
    for (int i = threadIdx.x; i < n; i += blockDim.x) mine += in[i];
  if (blockIdx.x > 0 && threadIdx.x == 0) parts[blockIdx.x] = 0;
  if (blockIdx.x > 0) return;
  const unsigned sum = block_sum<128>(mine);
  if (threadIdx.x == 0) parts[0] = sum;
}
