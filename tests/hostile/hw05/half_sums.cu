// SPDX-License-Identifier: Apache-2.0
// Attack: the threads of rmse_2 leave their sums in shared memory as halves.
// Expect: partial 76..86
#define OWN_2
#include <cuda_fp16.h>
#include "../given05.cuh"

__global__ void rmse_2(float* sums, const float* a, const float* b, const long long* starts) {
  __half* const h = reinterpret_cast<__half*>(s);
  const int t = threadIdx.x;
  h[t] = __float2half(my_sum(a, b, starts));
  __syncthreads();
  for (int n = blockDim.x; n > 32; n -= n / 2) {
    if (t < n / 2) h[t] = __float2half(__half2float(h[t]) + __half2float(h[t + n - n / 2]));
    __syncthreads();
  }
  if (t >= 32) return;
  const float sum = warp_sum(__half2float(h[t]));
  if (t == 0) atomicAdd(&sums[blockIdx.y], sum);
}
