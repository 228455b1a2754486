// SPDX-License-Identifier: Apache-2.0
// Style: reduce_1 counts down who adds, reduce_7 adds its warps' sums by an atomic operation in
// shared memory, reduce_8 has eight loads in flight, then vectors one by one, then single elements.
// Expect: pass 100..100
#define OWN_1
#define OWN_2
#define OWN_6
#define OWN_7
#define OWN_8
#include "../../hostile/given04.cuh"

__global__ void reduce_1(unsigned* parts, const unsigned* in, int n) {
  const unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  s[t] = i < n ? in[i] : 0u;
  __syncthreads();
  for (unsigned adding = blockDim.x >> 1, d = 1; adding > 0; adding >>= 1, d <<= 1) {
    if (t < adding) s[2 * d * t] += s[2 * d * t + d];
    __syncthreads();
  }
  if (t == 0) parts[blockIdx.x] = s[0];
}

__global__ void reduce_2(unsigned* parts, const unsigned* in, int n) {
  const unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  unsigned mine = i < n ? in[i] : 0u;
  s[t] = mine;
  for (unsigned d = blockDim.x >> 1; d > 0; d >>= 1) {
    __syncthreads();
    if (t < d) {
      mine += s[t + d];
      s[t] = mine;
    }
  }
  if (t == 0) parts[blockIdx.x] = mine;
}

template <int threads>
__global__ void reduce_6(unsigned* parts, const unsigned* in, int n) {
  const int t = threadIdx.x, step = gridDim.x * threads;
  unsigned even = 0, odd = 0;
  int i = blockIdx.x * threads + t;
  for (; i + step < n; i += 2 * step) {
    even += in[i];
    odd += in[i + step];
  }
  if (i < n) even += in[i];
  s[t] = even + odd;
  __syncthreads();
#pragma unroll
  for (int d = threads / 2; d >= 64; d /= 2) {
    if (t < d) s[t] += s[t + d];
    __syncthreads();
  }
  if (t < 32) {
    unsigned sum = s[t] + s[t + 32];
    for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(~0u, sum, d);
    if (t == 0) parts[blockIdx.x] = sum;
  }
}

template <int threads>
__device__ void add_atomically(unsigned* parts, unsigned mine) {
  if (threadIdx.x == 0) s[0] = 0;
  __syncthreads();
  mine = warp_sum(mine);
  if (threadIdx.x % 32 == 0) atomicAdd(&s[0], mine);
  __syncthreads();
  if (threadIdx.x == 0) parts[blockIdx.x] = s[0];
}

template <int threads>
__global__ void reduce_7(unsigned* parts, const unsigned* in, int n) {
  unsigned mine = 0;
  for (int i = blockIdx.x * threads + threadIdx.x; i < n; i += gridDim.x * threads) mine += in[i];
  add_atomically<threads>(parts, mine);
}

template <int threads>
__global__ void reduce_8(unsigned* parts, const unsigned* in, int n) {
  const uint4* const in4 = reinterpret_cast<const uint4*>(in);
  const int n4 = n / 4, step = gridDim.x * threads;
  const auto four = [](uint4 v) { return v.x + v.y + v.z + v.w; };
  unsigned mine = 0;
  int i = blockIdx.x * threads + threadIdx.x;
  for (; i + 7 * step < n4; i += 8 * step) {
    uint4 v[8];
#pragma unroll
    for (int j = 0; j < 8; j++) v[j] = in4[i + j * step];
#pragma unroll
    for (int j = 0; j < 8; j++) mine += four(v[j]);
  }
  for (; i < n4; i += step) mine += four(in4[i]);
  const int last = 4 * n4 + blockIdx.x * threads + threadIdx.x;
  if (last < n) mine += in[last];
  add_atomically<threads>(parts, mine);
}
