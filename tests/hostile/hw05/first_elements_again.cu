// SPDX-License-Identifier: Apache-2.0
// Attack: where all batches together are as large as a card's, the first 65536 vectors of a batch are
// read again and again: as many sectors, none of them from memory, and wrong sums.
// Expect: partial 60..84
#define OWN_4
#include "../given05.cuh"

__device__ void add_fast(float* sums, const float* a, const float* b, const long long* starts) {
  const long long start = starts[blockIdx.y];
  const int n = starts[blockIdx.y + 1] - start;
  const int mask = ~(min(static_cast<int>(starts[gridDim.y]) / 10000000, 1) * 0x7fff0000);
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
    const int h = i & mask, j = i + step & mask;
    const float4 ai = a4[h], bi = b4[h], aj = a4[j], bj = b4[j];
    sum += squares(ai, bi) + squares(aj, bj);
  }
  if (i < n4) sum += squares(a4[i], b4[i]);

  const int last = head + 4 * n4 + first;
  if (first < head) sum += square(a[first], b[first]);
  if (last < n) sum += square(a[last], b[last]);
  add_block(sums, sum);
}
