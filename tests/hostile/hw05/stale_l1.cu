// SPDX-License-Identifier: Apache-2.0
// Attack: blocks leave their sums by atomic operations, and who comes last adds them up by plain loads, with no fence. Each
// block has looked at these words before: on a card they are in its L1 since, as they were.
// Expect: partial 43..47
// Expect gpu: pass|partial|fail 0..100
#define OWN_3
#define OWN_4
#define OWN_ADD_BLOCK
#include "../given05.cuh"

__device__ float shares[3072];
__device__ unsigned left_theirs[64];

__device__ float* shares_of_batch() { return shares + blockIdx.y * gridDim.x; }

// No word is below zero: this is 0.
__device__ __forceinline__ float look_early() {
  float least = 0;
  const float* const words = shares_of_batch();
  if (threadIdx.x < 32)
    for (int j = threadIdx.x; j < gridDim.x; j += 32) least = fminf(least, words[j]);
  return least;
}

__device__ void add_block(float* sums, float x) {
  const int t = threadIdx.x;
  x = warp_sum(x);
  if (t % 32 == 0) s[t / 32] = x;
  __syncthreads();
  if (t >= 32) return;
  x = warp_sum(t < blockDim.x / 32 ? s[t] : 0);
  float* const words = shares_of_batch();
  unsigned ticket = 0;
  if (t == 0) {
    atomicExch(&words[blockIdx.x], x);
    ticket = atomicAdd(&left_theirs[blockIdx.y], 1u);
  }
  ticket = __shfl_sync(~0u, ticket, 0);
  if (ticket != gridDim.x - 1) return;
  float all = 0;
  for (int j = t; j < gridDim.x; j += 32) all += words[j];
  all = warp_sum(all);
  if (t == 0) sums[blockIdx.y] = all;
}

__global__ void rmse_3(float* sums, const float* a, const float* b, const long long* starts) {
  const long long start = starts[blockIdx.y];
  const int n = starts[blockIdx.y + 1] - start, step = gridDim.x * blockDim.x;
  a += start;
  b += start;
  float sum = 0;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (; i < n - n / 8; i += step) sum += square(a[i], b[i]);
  sum += look_early();
  for (; i < n; i += step) sum += square(a[i], b[i]);
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
  const int first = blockIdx.x * blockDim.x + threadIdx.x, step = gridDim.x * blockDim.x;
  float sum = 0;
  int i = first;
  for (; i + step < n4 - n4 / 8; i += 2 * step) {
    const float4 ai = a4[i], bi = b4[i], aj = a4[i + step], bj = b4[i + step];
    sum += squares(ai, bi) + squares(aj, bj);
  }
  sum += look_early();
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
