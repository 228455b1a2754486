// SPDX-License-Identifier: Apache-2.0
// Style: the last block of a batch adds up what the others have left, with a fence and a ticket.
// Expect: pass 100..100
#define OWN_3
#include "../../hostile/given05.cuh"

// The sum of x over the block, which its first warp's first lane gets. One
// number a warp goes through shared memory.
__device__ float block_sum(float x) {
  const int t = threadIdx.x;
  x = warp_sum(x);
  if (t % 32 == 0) s[t / 32] = x;
  __syncthreads();
  return t < 32 ? warp_sum(t < blockDim.x / 32 ? s[t] : 0) : 0;
}

// Warps add up with shuffles. A block leaves its sum in `parts`, and the block
// of a batch that comes last adds these up, always in the same order: so the
// result has the same bits each time, which atomic additions of floats do not
// promise. (As the CUDA samples' threadFenceReduction.)
constexpr int kMostParts = 3072, kMostBatches = 64;
__device__ float parts[kMostParts];
__device__ unsigned arrived[kMostBatches];  // blocks of a batch

__global__ void rmse_3(float* sums, const float* a, const float* b,
                       const long long* starts) {
  const int t = threadIdx.x, k = blockIdx.y, blocks = gridDim.x;
  const float x = block_sum(my_sum(a, b, starts));
  if (t >= 32) return;
  if (blocks == 1) {  // nobody else adds to it
    if (t == 0) sums[k] += x;
    return;
  }
  if (gridDim.y > kMostBatches || blocks * gridDim.y > kMostParts) {
    if (t == 0) atomicAdd(&sums[k], x);
    return;
  }
  int is_last = 0;
  if (t == 0) {
    parts[k * blocks + blockIdx.x] = x;
    __threadfence();
    is_last = atomicAdd(&arrived[k], 1u) == blocks - 1;
  }
  if (!__shfl_sync(~0u, is_last, 0)) return;
  __threadfence();
  float sum = 0;
  for (int i = t; i < blocks; i += 32) sum += parts[k * blocks + i];
  sum = warp_sum(sum);
  if (t == 0) {
    sums[k] += sum;
    arrived[k] = 0;  // for the next launch
  }
}
