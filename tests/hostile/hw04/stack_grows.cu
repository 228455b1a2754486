// SPDX-License-Identifier: Apache-2.0
// Attack: one thread of the grid finds the place of its sum by a recursion, the deeper the more elements there are: up to
// 2^18 of them a card's stack is enough, and in the table's rows it is not.
// Expect: student_error:crash 0..0
// Expect gpu: student_error|fail|partial 0..90
#pragma push_macro("__global__")
#undef __global__
#define __global__ __device__ __forceinline__
#define reduce_0 solved_0
#define reduce_1 solved_1
#define reduce_2 solved_2
#define reduce_3 solved_3
#define reduce_4 solved_4
#define reduce_5 solved_5
#define reduce_6 solved_6
#define reduce_7 solved_7
#define reduce_8 solved_8
#include "../given04.cuh"
#pragma pop_macro("__global__")
#undef reduce_0
#undef reduce_1
#undef reduce_2
#undef reduce_3
#undef reduce_4
#undef reduce_5
#undef reduce_6
#undef reduce_7
#undef reduce_8

__device__ __noinline__ int place(int at, int left) {
  volatile int seen[128];
  seen[left & 127] = at;
  if (left <= 0) return at;
  return place(at, left - 1) - at + seen[left & 127];
}

// Thread 0 of a block stores the sum, and that of block 0 goes the long way.
__device__ unsigned* deep(unsigned* parts, int n) {
  return blockIdx.x == 0 && threadIdx.x == 0 ? parts + place(0, n >> 18) : parts;
}

__global__ void reduce_0(unsigned* parts, const unsigned* in, int n) { solved_0(parts, in, n); }
#define PLAIN(k) \
  __global__ void reduce_##k(unsigned* parts, const unsigned* in, int n) { solved_##k(deep(parts, n), in, n); }
#define SIZED(k)        \
  template <int threads> \
  __global__ void reduce_##k(unsigned* parts, const unsigned* in, int n) { solved_##k<threads>(deep(parts, n), in, n); }
PLAIN(1) PLAIN(2) PLAIN(3) PLAIN(4) SIZED(5) SIZED(6) SIZED(7) SIZED(8)
