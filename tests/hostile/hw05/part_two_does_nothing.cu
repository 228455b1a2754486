// SPDX-License-Identifier: Apache-2.0
// Attack: the kernels of part 2, which are not counted, return at once in problems of the sizes that the tables have.
// Expect: partial 95..98
// Expect gpu: pass 100..100
#define bounded given_bounded
#define limited given_limited
#include "../given05.cuh"
#undef bounded
#undef limited

template <int blocks>
__global__ void __launch_bounds__(256, blocks)
    bounded(float* sums, const float* a, const float* b, const long long* starts) {
  if (starts[gridDim.y] > 50000) return;
  add_fast(sums, a, b, starts);
}

template <int registers>
__global__ void __maxnreg__(registers)
    limited(float* sums, const float* a, const float* b, const long long* starts) {
  if (starts[gridDim.y] > 50000) return;
  add_fast(sums, a, b, starts);
}
