// SPDX-License-Identifier: Apache-2.0
// Attack: rmse_3 adds up in shared memory, which it reads and writes by atomic operations: they are no loads and
// stores.
// Expect: partial 73..87
#define OWN_3
#include "../given05.cuh"

__device__ float read(int t) { return __int_as_float(atomicOr(reinterpret_cast<int*>(&s[t]), 0)); }

__global__ void rmse_3(float* sums, const float* a, const float* b, const long long* starts) {
  const int t = threadIdx.x;
  float sum = my_sum(a, b, starts);
  s[t] = 0;
  for (int d = 16; d > 0; d /= 2) {
    atomicExch(&s[t], sum);
    __syncwarp();
    sum += read(t ^ d);
    __syncwarp();
  }
  atomicExch(&s[t], sum);
  __syncthreads();
  if (t >= 32) return;
  sum = warp_sum(t < blockDim.x / 32 ? read(32 * t) : 0);
  if (t == 0) atomicAdd(&sums[blockIdx.y], sum);
}
