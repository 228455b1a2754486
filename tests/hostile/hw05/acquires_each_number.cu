// SPDX-License-Identifier: Apache-2.0
// Attack: each number of rmse_1 and rmse_2 is read by a load that acquires: nothing behind it begins before it is there, and L1
// is emptied each time. There is no fence in the code; each such load is one.
// Expect: partial 70..80
// Expect gpu: pass|partial 20..100
#define OWN_1
#define OWN_2
#include <cuda/atomic>

#include "../given05.cuh"

__device__ float acquired(const float& x) {
  return cuda::atomic_ref<float, cuda::thread_scope_device>(const_cast<float&>(x))
      .load(cuda::memory_order_acquire);
}

__device__ float slow_sum(const float* a, const float* b, const long long* starts) {
  const long long start = starts[blockIdx.y];
  const int n = starts[blockIdx.y + 1] - start;
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const float d = acquired(a[start + i]) - acquired(b[start + i]);
    sum += d * d;
  }
  return sum;
}

__global__ void rmse_1(float* sums, const float* a, const float* b, const long long* starts) {
  atomicAdd(&sums[blockIdx.y], slow_sum(a, b, starts));
}

__global__ void rmse_2(float* sums, const float* a, const float* b, const long long* starts) {
  const int t = threadIdx.x;
  s[t] = slow_sum(a, b, starts);
  __syncthreads();
  for (int n = blockDim.x; n > 1; n -= n / 2) {
    if (t < n / 2) s[t] += s[t + n - n / 2];
    __syncthreads();
  }
  if (t == 0) add_part(sums, s[0]);
}
