// SPDX-License-Identifier: Apache-2.0
// Style: the kernels of part 1 exist in double as well, as overloads, one before and one behind those
// that are asked for.
// Expect: pass 100..100
#include "../../hostile/given03.cuh"

// How many sectors would doubles touch?
__global__ void saxpy_loop(double* y, const double* x, double a, int n) {
  const int n_threads = blockDim.x * gridDim.x;
  for (int i = threadIdx.x + blockIdx.x * blockDim.x; i < n; i += n_threads) y[i] = a * x[i] + y[i];
}

__global__ void saxpy_loop(float* y, const float* x, float a, int n) {
  solved_loop(y, x, a, n);
}

__global__ void saxpy_matrix(float* y, const float* x, float a, int n) {
  solved_matrix(y, x, a, n);
}

template <int n_segments>
__global__ void gather_group(float* out, const float* in, int n) {
  solved_gather<n_segments>(out, in, n);
}

__global__ void branches(float* out, const float* in, const float* by, int n) {
  solved_branches(out, in, by, n);
}

__global__ void saxpy_matrix(double* y, const double* x, double a, int n) {
  const int row = threadIdx.y + blockIdx.y * blockDim.y;
  const int col = threadIdx.x + blockIdx.x * blockDim.x;
  if (row < n && col < n) y[row * n + col] += a * x[row * n + col];
}

constexpr int spread(int n_threads, int n_sms) {
  return solved_spread(n_threads, n_sms);
}
