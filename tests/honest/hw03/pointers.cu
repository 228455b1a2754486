// SPDX-License-Identifier: Apache-2.0
// Style: pointers that move, and a power of two for each rule.
// Expect: pass 100..100
#include "../../hostile/given03.cuh"

__global__ void saxpy_loop(float* y, const float* x, float a, int n) {
  const float* end = x + n;
  y += threadIdx.x + blockIdx.x * blockDim.x;
  const int step = blockDim.x * gridDim.x;
  for (x += threadIdx.x + blockIdx.x * blockDim.x; x < end; x += step, y += step)
    *y = fmaf(a, *x, *y);
}

__global__ void saxpy_matrix(float* y, const float* x, float a, int n) {
  const size_t at = size_t(threadIdx.y + blockIdx.y * blockDim.y) * n;
  const int col = threadIdx.x + blockIdx.x * blockDim.x;
  if (at >= size_t(n) * n || col >= n) return;
  y[at + col] = fmaf(a, x[at + col], y[at + col]);
}

template <int n_segments>
__global__ void gather_group(float* out, const float* in, int n) {
  solved_gather<n_segments>(out, in, n);
}

__global__ void branches(float* out, const float* in, const float* by, int n) {
  solved_branches(out, in, by, n);
}

constexpr int spread(int n_threads, int n_sms) {
  int size = 32;
  while (size < 1024 && n_threads > size * n_sms) size += 32;
  return size;
}
