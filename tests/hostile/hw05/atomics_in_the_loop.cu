// SPDX-License-Identifier: Apache-2.0
// Attack: the last two steps add to global memory within the loop, within what was granted for each
// element.
// Expect: partial 55..75
#define OWN_3
#define OWN_4
#include "../given05.cuh"

// Careless: what lane 0 has so far goes to global memory at once, every other turn.
__global__ void rmse_3(float* sums, const float* a, const float* b, const long long* starts) {
  const long long start = starts[blockIdx.y];
  const int n = starts[blockIdx.y + 1] - start;
  a += start;
  b += start;
  float sum = 0;
  int turn = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const float d = a[i] - b[i];
    sum += d * d;
    if (++turn % 2 == 0 && threadIdx.x % 32 == 0) {
      atomicAdd(&sums[blockIdx.y], sum);
      sum = 0;
    }
  }
  add_block(sums, sum);
}

__device__ void add_fast(float* sums, const float* a, const float* b, const long long* starts) {
  const long long start = starts[blockIdx.y];
  const int n = starts[blockIdx.y + 1] - start;
  a += start;
  b += start;
  const int head = min(n, int(-start & 3)), n4 = (n - head) / 4;
  const float4* const a4 = reinterpret_cast<const float4*>(a + head);
  const float4* const b4 = reinterpret_cast<const float4*>(b + head);
  const int first = blockIdx.x * blockDim.x + threadIdx.x;
  const int step = gridDim.x * blockDim.x;

  float sum = 0;
  int i = first;
  for (; i + step < n4; i += 2 * step) {
    const float4 ai = a4[i], bi = b4[i], aj = a4[i + step], bj = b4[i + step];
    sum += squares(ai, bi) + squares(aj, bj);
    if (threadIdx.x % 32 == 0) {
      atomicAdd(&sums[blockIdx.y], sum);
      sum = 0;
    }
  }
  if (i < n4) sum += squares(a4[i], b4[i]);

  const int last = head + 4 * n4 + first;
  if (first < head) sum += square(a[first], b[first]);
  if (last < n) sum += square(a[last], b[last]);
  add_block(sums, sum);
}
