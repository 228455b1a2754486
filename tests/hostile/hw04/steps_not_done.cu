// SPDX-License-Identifier: Apache-2.0
// Attack: reduce_3 adds nothing while it loads but goes through the tree twice, and reduce_4 keeps
// every barrier. Both know that blocks have 128 threads, so their loops unroll: that saves more
// instructions than the steps would.
// Expect: partial 80..84
#define OWN_3
#define OWN_4
#include "../../hostile/given04.cuh"
__global__ void reduce_3(unsigned* parts, const unsigned* in, int n) {
  const int t = threadIdx.x;
  unsigned sum = 0;
#pragma unroll
  for (int half = 0; half < 2; half++) {
    const int i = (blockIdx.x * 2 + half) * 128 + t;
    s[t] = i < n ? in[i] : 0;
    __syncthreads();
#pragma unroll
    for (int d = 64; d > 0; d /= 2) {
      if (t < d) s[t] += s[t + d];
      __syncthreads();
    }
    if (t == 0) sum += s[0];
  }
  if (t == 0) parts[blockIdx.x] = sum;
}
__global__ void reduce_4(unsigned* parts, const unsigned* in, int n) {
  const int t = threadIdx.x;
  const int i = blockIdx.x * 256 + t, j = i + 128;
  s[t] = (i < n ? in[i] : 0) + (j < n ? in[j] : 0);
  __syncthreads();
#pragma unroll
  for (int d = 64; d > 0; d /= 2) {
    if (t < d) s[t] += s[t + d];
    __syncthreads();
  }
  if (t == 0) parts[blockIdx.x] = s[0];
}
