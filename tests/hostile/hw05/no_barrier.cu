// SPDX-License-Identifier: Apache-2.0
// Attack: rmse_2 without the barriers of its loop.
// Expect: partial|student_error 81..86
// Expect gpu: pass|partial|student_error 0..100
#define OWN_2
#include "../given05.cuh"

__global__ void rmse_2(float* sums, const float* a, const float* b, const long long* starts) {
  const int t = threadIdx.x;
  s[t] = my_sum(a, b, starts);
  __syncthreads();
  for (int n = blockDim.x; n > 1; n -= n / 2)
    if (t < n / 2) s[t] += s[t + n - n / 2];
  if (t == 0) atomicAdd(&sums[blockIdx.y], s[0]);
}
