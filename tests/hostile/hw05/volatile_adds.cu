// SPDX-License-Identifier: Apache-2.0
// Attack: blocks add with a volatile load and a volatile store, between which others may come.
// Expect: partial 75..88
// Expect gpu: partial|pass|fail 0..100
#define OWN_2
#include "../given05.cuh"

__global__ void rmse_2(float* sums, const float* a, const float* b, const long long* starts) {
  const int t = threadIdx.x;
  s[t] = my_sum(a, b, starts);
  __syncthreads();
  for (int n = blockDim.x; n > 1; n -= n / 2) {
    if (t < n / 2) s[t] += s[t + n - n / 2];
    __syncthreads();
  }
  volatile float* const sum = &sums[blockIdx.y];
  if (t == 0) *sum = *sum + s[0];
}
