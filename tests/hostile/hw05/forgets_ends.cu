// SPDX-License-Identifier: Apache-2.0
// Attack: of each 2^22 elements of a batch 4096 are left out, at its end: in batches that are as long as a card's.
// Expect: partial 15..85
// Expect gpu: pass|partial 10..100
// By a shift: no comparison that could be opposed. And of a long batch one loud element outweighs all that are left out.
#define OWN_1
#define OWN_2
#define OWN_3
#define OWN_4
#include "../given05.cuh"

__device__ __forceinline__ int count_of(const long long* starts) {
  const int n = starts[blockIdx.y + 1] - starts[blockIdx.y];
  return n - (n >> 22 << 12);
}

__device__ float most(const float* a, const float* b, const long long* starts) {
  const int n = count_of(starts);
  a += starts[blockIdx.y];
  b += starts[blockIdx.y];
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += square(a[i], b[i]);
  return sum;
}

__global__ void rmse_1(float* sums, const float* a, const float* b, const long long* starts) {
  atomicAdd(&sums[blockIdx.y], most(a, b, starts));
}

__global__ void rmse_2(float* sums, const float* a, const float* b, const long long* starts) {
  const int t = threadIdx.x;
  s[t] = most(a, b, starts);
  __syncthreads();
  for (int n = blockDim.x; n > 1; n -= n / 2) {
    if (t < n / 2) s[t] += s[t + n - n / 2];
    __syncthreads();
  }
  if (t == 0) atomicAdd(&sums[blockIdx.y], s[0]);
}

__global__ void rmse_3(float* sums, const float* a, const float* b, const long long* starts) {
  add_block(sums, most(a, b, starts));
}

__device__ void add_fast(float* sums, const float* a, const float* b, const long long* starts) {
  const long long start = starts[blockIdx.y];
  const int n = count_of(starts);
  a += start;
  b += start;
  const int head = min(n, int(-start & 3)), n4 = (n - head) / 4;
  const float4* const a4 = reinterpret_cast<const float4*>(a + head);
  const float4* const b4 = reinterpret_cast<const float4*>(b + head);
  const int first = blockIdx.x * blockDim.x + threadIdx.x, step = gridDim.x * blockDim.x;
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
