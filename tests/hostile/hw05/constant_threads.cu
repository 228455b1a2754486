// SPDX-License-Identifier: Apache-2.0
// Attack: add_fast takes its own number of threads for the block's: right in rmse_4, wrong in bounded and limited.
// Expect: partial 90..99
// Every kernel of ./hw05's tables is launched.
#define OWN_SHAPE
#define OWN_4
constexpr int kThreads = 512;
constexpr int kBlocks = 0;
#include "../given05.cuh"
__device__ void add_fast(float* sums, const float* a, const float* b, const long long* starts) {
  const long long start = starts[blockIdx.y];
  const int n = starts[blockIdx.y + 1] - start;
  a += start;
  b += start;
  const int head = min(n, int(-start & 3)), n4 = (n - head) / 4;
  const float4* const a4 = reinterpret_cast<const float4*>(a + head);
  const float4* const b4 = reinterpret_cast<const float4*>(b + head);
  const int first = blockIdx.x * kThreads + threadIdx.x, step = gridDim.x * kThreads;
  float sum = 0;
  int i = first;
  for (; i + step < n4; i += 2 * step) {
    const float4 ai = a4[i], bi = b4[i], aj = a4[i + step], bj = b4[i + step];
    sum += squares(ai, bi) + squares(aj, bj);
  }
  if (i < n4) sum += squares(a4[i], b4[i]);
  const int last = head + 4 * n4 + first;
  if (first < head) sum += square(a[first], b[first]);
  if (last < n) sum += square(a[last], b[last]);
  add_block(sums, sum);
}
