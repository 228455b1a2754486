// SPDX-License-Identifier: Apache-2.0
// Attack: reduce_1 to reduce_8 are good for 2000 to 20000 and 100000 to 200000 elements, where the
// rubric counts, and do the starter's work (right, slow) for all others: between, and above, where
// the handout's own sizes are.
// Expect: review|partial 20..30
#pragma push_macro("__global__")
#undef __global__
#define __global__ __device__ __forceinline__
#define reduce_0 good_0
#define reduce_1 good_1
#define reduce_2 good_2
#define reduce_3 good_3
#define reduce_4 good_4
#define reduce_5 good_5
#define reduce_6 good_6
#define reduce_7 good_7
#define reduce_8 good_8
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

__global__ void reduce_0(unsigned* parts, const unsigned* in, int n) { good_0(parts, in, n); }
__device__ __forceinline__ bool looked_at(int n) {
  return (n >= 2000 && n <= 20000) || (n >= 100000 && n <= 200000);
}
__device__ void as_reduce_0(unsigned* parts, const unsigned* in, int n) {
  const int t = threadIdx.x;
  const int times = (n - 1) / (gridDim.x * blockDim.x) + 1;
  unsigned sum = 0;
  for (int k = 0; k < times; k++) {
    const int i = (blockIdx.x * times + k) * blockDim.x + t;
    s[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (int d = 1; d < blockDim.x; d *= 2) {
      if (t % (2 * d) == 0) s[t] += s[t + d];
      __syncthreads();
    }
    sum += s[0];
    __syncthreads();
  }
  if (t == 0) parts[blockIdx.x] = sum;
}
#define PLAIN(k) __global__ void reduce_##k(unsigned* parts, const unsigned* in, int n) { \
  if (looked_at(n)) good_##k(parts, in, n); else as_reduce_0(parts, in, n); }
#define SIZED(k) template <int threads> __global__ void reduce_##k(unsigned* parts, const unsigned* in, int n) { \
  if (looked_at(n)) good_##k<threads>(parts, in, n); else as_reduce_0(parts, in, n); }
PLAIN(1) PLAIN(2) PLAIN(3) PLAIN(4) SIZED(5) SIZED(6) SIZED(7) SIZED(8)
