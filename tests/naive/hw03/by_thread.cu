// SPDX-License-Identifier: Apache-2.0
// Style: branches by thread, all else solved.
// Expect: partial 85..85
#include "../../hostile/given03.cuh"

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
  const int tid = threadIdx.x + blockIdx.x * blockDim.x;
  const int operation = tid % 4;
  const int i = tid / 128 * 128 + operation * 32 + tid % 128 / 4;
  if (i >= n) return;
  float value = in[i];
  for (int k = 0; k < kRepeats; k++)
    if (operation == 0)
      value = value + by[i];
    else if (operation == 1)
      value = value - by[i];
    else if (operation == 2)
      value = value * by[i];
    else
      value = value / by[i];
  out[i] = value;
}

constexpr int spread(int n_threads, int n_sms) {
  return solved_spread(n_threads, n_sms);
}
