// SPDX-License-Identifier: Apache-2.0
// Attack: where a batch has few blocks, the warps of rmse_3 exchange their sums in global memory, so no
// request to shared memory is counted.
// Expect: partial 87..87
#define OWN_3
#include "../given05.cuh"

__device__ float parts[4000];

__global__ void rmse_3(float* sums, const float* a, const float* b, const long long* starts) {
  const float mine = my_sum(a, b, starts);
  const int n = blockDim.x / 2, block = blockIdx.y * gridDim.x + blockIdx.x;
  if (gridDim.y * gridDim.x * n > 4000) return add_block(sums, mine);
  volatile float* const part = parts + block * n;
  const int t = threadIdx.x, lane = t % 32;
  const float two = mine + __shfl_down_sync(~0u, mine, 16);
  if (lane < 16) part[t / 32 * 16 + lane] = two;
  __syncthreads();
  if (t >= 32) return;
  float sum = 0;
  for (int i = t; i < n; i += 32) sum += part[i];
  sum = warp_sum(sum);
  if (t == 0) atomicAdd(&sums[blockIdx.y], sum);
}
