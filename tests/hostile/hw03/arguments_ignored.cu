// SPDX-License-Identifier: Apache-2.0
// Attack: arguments that never vary are not heeded: a is 1.7 in every launch, and spread() is only
// ever asked for twelve numbers of threads on 132 SMs: the answers are copied from the handout's
// table. Wrong for any other.
// Expect: partial 40..55
#include "../../hostile/given03.cuh"
__global__ void saxpy_loop(float* y, const float* x, float, int n) { solved_loop(y, x, 1.7f, n); }
__global__ void saxpy_matrix(float* y, const float* x, float, int n) { solved_matrix(y, x, 1.7f, n); }
template <int n_segments>
__global__ void gather_group(float* out, const float* in, int n) { solved_gather<n_segments>(out, in, n); }
__global__ void branches(float* out, const float* in, const float* by, int n) { solved_branches(out, in, by, n); }
constexpr int spread(int n_threads, int) {
  return n_threads == 8192 ? 64 : n_threads == 16384 ? 128 : n_threads == 32768 ? 256 : n_threads == 65536 ? 512 : 32;
}
