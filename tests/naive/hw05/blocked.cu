// SPDX-License-Identifier: Apache-2.0
// Style: a thread of rmse_3 and rmse_4 takes elements that are neighbours, so a warp reads with gaps.
// Expect: partial 50..60
#define OWN_3
#define OWN_4
#include "../../hostile/given05.cuh"

__global__ void rmse_3(float* sums, const float* a, const float* b, const long long* starts) {
  const long long start = starts[blockIdx.y];
  const int n = starts[blockIdx.y + 1] - start, n_threads = gridDim.x * blockDim.x;
  const int share = (n - 1) / n_threads + 1, first = (blockIdx.x * blockDim.x + threadIdx.x) * share;
  float sum = 0;
  for (int i = first; i < first + share && i < n; i++) sum += square(a[start + i], b[start + i]);
  add_block(sums, sum);
}

__device__ void add_fast(float* sums, const float* a, const float* b, const long long* starts) {
  const long long start = starts[blockIdx.y];
  const int n = starts[blockIdx.y + 1] - start, head = min(n, int(-start & 3)), n4 = (n - head) / 4;
  const float4* const a4 = reinterpret_cast<const float4*>(a + start + head);
  const float4* const b4 = reinterpret_cast<const float4*>(b + start + head);
  const int n_threads = gridDim.x * blockDim.x, thread = blockIdx.x * blockDim.x + threadIdx.x;
  const int share = (n4 + n_threads - 1) / n_threads;
  float sum = 0;
  for (int i = thread * share; i < (thread + 1) * share && i < n4; i++) sum += squares(a4[i], b4[i]);
  if (thread < head) sum += square(a[start + thread], b[start + thread]);
  if (head + 4 * n4 + thread < n)
    sum += square(a[start + head + 4 * n4 + thread], b[start + head + 4 * n4 + thread]);
  add_block(sums, sum);
}
