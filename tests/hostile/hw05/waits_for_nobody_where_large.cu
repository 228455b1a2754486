// SPDX-License-Identifier: Apache-2.0
// Attack: where all batches together are larger than in any drawn launch, a block waits for a warp more than it has.
// Expect: fail|partial|student_error 70..90
// With all blocks executed nothing is missing that it could wait for: that is a fault of its own.
#define OWN_1
#include "../given05.cuh"
__global__ void rmse_1(float* sums, const float* a, const float* b, const long long* starts) {
  if (starts[gridDim.y] > 10000000) __barrier_sync_count(1, blockDim.x + 32);
  atomicAdd(&sums[blockIdx.y], my_sum(a, b, starts));
}
