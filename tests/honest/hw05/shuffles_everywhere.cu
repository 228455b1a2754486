// SPDX-License-Identifier: Apache-2.0
// Style: shuffles from rmse_1 on, large blocks of a fixed number, one pair of vector loads a turn, and rows
// for warps.
// Expect: pass 100..100
#define OWN_SHAPE
#define OWN_1
#define OWN_2
#define OWN_4
#define OWN_VIEW
constexpr int kThreads = 512;
constexpr int kBlocks = 528;  // enough for one batch alone
#include "../../hostile/given05.cuh"

__global__ void rmse_1(float* sums, const float* a, const float* b, const long long* starts) {
  const float sum = warp_sum(my_sum(a, b, starts));
  if (threadIdx.x % 32 == 0) atomicAdd(&sums[blockIdx.y], sum);
}

__global__ void rmse_2(float* sums, const float* a, const float* b, const long long* starts) {
  add_block(sums, my_sum(a, b, starts));
}

__device__ void add_fast(float* sums, const float* a, const float* b, const long long* starts) {
  const long long start = starts[blockIdx.y];
  const int n = starts[blockIdx.y + 1] - start, step = gridDim.x * blockDim.x;
  const int head = min(n, (4 - int(start % 4)) % 4), n4 = (n - head) / 4;
  const float4* const a4 = reinterpret_cast<const float4*>(a + start + head);
  const float4* const b4 = reinterpret_cast<const float4*>(b + start + head);
  const int first = blockIdx.x * blockDim.x + threadIdx.x, last = head + 4 * n4 + first;
  float sum = 0;
#pragma unroll 2
  for (int i = first; i < n4; i += step) sum += squares(a4[i], b4[i]);
  if (first < head) sum += square(a[start + first], b[start + first]);
  if (last < n) sum += square(a[start + last], b[start + last]);
  add_block(sums, sum);
}

__global__ void view_cheap(float* sums, const float* a, const float* b, int height, int width, int pitch) {
  const int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const int n_warps = gridDim.x * blockDim.x / 32;
  float sum = 0;
  for (int row = warp; row < height; row += n_warps) {
    const int first = (blockIdx.y * height + row) * pitch;
    for (int i = first + threadIdx.x % 32; i < first + width; i += 32) sum += square(a[i], b[i]);
  }
  sum = warp_sum(sum);
  if (threadIdx.x % 32 == 0) atomicAdd(&sums[blockIdx.y], sum);
}
