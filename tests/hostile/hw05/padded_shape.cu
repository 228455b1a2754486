// SPDX-License-Identifier: Apache-2.0
// Attack: few threads, made to look like many by shared memory that nobody needs: an SM holds few blocks then.
// Expect: partial 68..87
#define OWN_SHAPE
#define OWN_3
constexpr int kThreads = 256;
constexpr int kBlocks = 2;
#include "../given05.cuh"

__device__ void add_in(float* sums, float x, float* room) {
  const int t = threadIdx.x;
  x = warp_sum(x);
  if (t % 32 == 0) room[t / 32] = x;
  __syncthreads();
  if (t >= 32) return;
  x = warp_sum(t < blockDim.x / 32 ? room[t] : 0);
  if (t == 0) atomicAdd(&sums[blockIdx.y], x);
}

__global__ void rmse_3(float* sums, const float* a, const float* b, const long long* starts) {
  __shared__ float room[11000];
  add_in(sums, my_sum(a, b, starts), room);
}
