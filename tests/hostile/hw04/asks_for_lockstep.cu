// SPDX-License-Identifier: Apache-2.0
// Attack: the last warp of reduce_4 asks __activemask() whether its lanes are together, and relies on lockstep and
// volatile where they are; only where they run apart (the emulator's other orders) it synchronizes.
// Expect: partial 88..92
#define OWN_4
#include "../given04.cuh"

__device__ __forceinline__ void in_step(volatile unsigned* v, int t) {
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
  if (t >= 32) return;
  unsigned sum;
  if (__activemask() == ~0u) {
    in_step(s, t);
    sum = s[t];
  } else {
    sum = last_warp_sum(t);
  }
  if (t == 0) parts[blockIdx.x] = sum;
}
