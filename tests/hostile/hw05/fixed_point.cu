// SPDX-License-Identifier: Apache-2.0
// Attack: the threads of rmse_2 add up in integers, for which they take all squares to be multiples of 2^-14.
// Expect: partial 80..86
#define OWN_2
#include "../given05.cuh"

__global__ void rmse_2(float* sums, const float* a, const float* b, const long long* starts) {
  int* const sum = reinterpret_cast<int*>(s);
  if (threadIdx.x == 0) *sum = 0;
  __syncthreads();
  atomicAdd(sum, __float2int_rn(my_sum(a, b, starts) * 16384));
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(&sums[blockIdx.y], *sum / 16384.f);
}
