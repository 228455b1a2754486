// SPDX-License-Identifier: Apache-2.0
// Style: ends loudly where a kernel is launched wrongly: a [[noreturn]] function with a message,
// the place from std::source_location, a trap; the compiler is told what is likely and what may be
// assumed.
// Expect: pass 100..100
#define OWN_7
#define OWN_8
#include <cstdio>
#include <source_location>
#include "../../hostile/given04.cuh"

[[noreturn]] __device__ __noinline__ void die(const char* why, int line) {
  printf("line %d: %s\n", line, why);
  __trap();
}

template <int threads>
__device__ __forceinline__ void check_launch(
    int line = std::source_location::current().line()) {
  if (__builtin_expect(blockDim.x != threads, 0)) die("wrong block size", line);
}

template <int threads>
__global__ void reduce_7(unsigned* parts, const unsigned* in, int n) {
  check_launch<threads>(__LINE__);
  __builtin_assume(n > 0);
  unsigned mine = 0;
  for (int i = blockIdx.x * threads + threadIdx.x; i < n; i += gridDim.x * threads) mine += in[i];
  const unsigned sum = block_sum<threads>(mine);
  if (threadIdx.x == 0) parts[blockIdx.x] = sum;
}

template <int threads>
__global__ void reduce_8(unsigned* parts, const unsigned* in, int n) {
  check_launch<threads>(__LINE__);
  constexpr int tile = threads * 4;
  const uint4* const in4 = static_cast<const uint4*>(__builtin_assume_aligned(in, 16));
  const int n_tiles = n / 4 / tile;
  unsigned mine = 0;
  for (int h = blockIdx.x; h < n_tiles; h += gridDim.x) {
    const int first = h * tile + threadIdx.x;
    uint4 v[4];
    for (int j = 0; j < 4; j++) v[j] = in4[first + j * threads];
    for (int j = 0; j < 4; j++) mine += v[j].x + v[j].y + v[j].z + v[j].w;
  }
  const int left = n_tiles * tile * 4 + blockIdx.x * threads + threadIdx.x;
  for (int i = left; i < n; i += gridDim.x * threads) mine += in[i];
  const unsigned sum = block_sum<threads>(mine);
  if (threadIdx.x == 0) parts[blockIdx.x] = sum;
}
