// SPDX-License-Identifier: Apache-2.0
// Style: the library's sum over a warp in rmse_3, and blocks of 1024.
// Expect: pass 100..100
#include <cub/warp/warp_reduce.cuh>
#define OWN_SHAPE
#define OWN_3
constexpr int kThreads = 1024;
constexpr int kBlocks = 0;
#include "../../hostile/given05.cuh"

__global__ void rmse_3(float* sums, const float* a, const float* b, const long long* starts) {
  using WarpReduce = cub::WarpReduce<float>;
  __shared__ typename WarpReduce::TempStorage storage[32];
  const int warp = threadIdx.x / 32, n_warps = blockDim.x / 32;
  const float sum = WarpReduce(storage[warp]).Sum(my_sum(a, b, starts));
  if (threadIdx.x % 32 == 0) s[warp] = sum;
  __syncthreads();
  if (warp > 0) return;
  const float all = WarpReduce(storage[0]).Sum(threadIdx.x < n_warps ? s[threadIdx.x] : 0);
  if (threadIdx.x == 0) atomicAdd(&sums[blockIdx.y], all);
}
