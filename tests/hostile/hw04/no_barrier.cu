// SPDX-License-Identifier: Apache-2.0
// Attack: reduce_2 without the barriers of its loop.
// Expect: partial|student_error 88..91
// Expect gpu: pass|partial|student_error 0..100
#define OWN_2
#include "../given04.cuh"

__global__ void reduce_2(unsigned* parts, const unsigned* in, int n) {
  const int t = threadIdx.x;
  const int i = blockIdx.x * blockDim.x + t;
  s[t] = i < n ? in[i] : 0;
  __syncthreads();
  for (int d = blockDim.x / 2; d > 0; d /= 2)
    if (t < d) s[t] += s[t + d];
  if (t == 0) parts[blockIdx.x] = s[0];
}
