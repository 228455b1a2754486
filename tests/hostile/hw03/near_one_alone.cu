// SPDX-License-Identifier: Apache-2.0
// Attack: division by a number near 1 is a polynomial, which costs less than a division.
// Expect: partial 80..85
#include "../given03.cuh"
__global__ void saxpy_loop(float* y, const float* x, float a, int n) { solved_loop(y, x, a, n); }
__global__ void saxpy_matrix(float* y, const float* x, float a, int n) { solved_matrix(y, x, a, n); }
template <int n_segments>
__global__ void gather_group(float* out, const float* in, int n) { solved_gather<n_segments>(out, in, n); }
constexpr int spread(int n_threads, int n_sms) { return solved_spread(n_threads, n_sms); }

__global__ void branches(float* out, const float* in, const float* by, int n) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x, operation = i / 32 % 4;
  if (i >= n) return;
  float value = in[i];
  for (int k = 0; k < kRepeats; k++) {
    const float b = by[i], e = b - 1;
    if (operation == 0) value += b;
    if (operation == 1) value -= b;
    if (operation == 2) value *= b;
    if (operation == 3) value *= 1 - e * (1 - e * (1 - e * (1 - e)));
  }
  out[i] = value;
}
