// SPDX-License-Identifier: Apache-2.0
// Attack: warps part as in the starter, but each way is one multiplication.
// Expect: partial 83..87
#include "../given03.cuh"
__global__ void saxpy_loop(float* y, const float* x, float a, int n) { solved_loop(y, x, a, n); }
__global__ void saxpy_matrix(float* y, const float* x, float a, int n) { solved_matrix(y, x, a, n); }
template <int n_segments>
__global__ void gather_group(float* out, const float* in, int n) { solved_gather<n_segments>(out, in, n); }
constexpr int spread(int n_threads, int n_sms) { return solved_spread(n_threads, n_sms); }

__global__ void branches(float* out, const float* in, const float* by, int n) {
  const int tid = threadIdx.x + blockIdx.x * blockDim.x, operation = tid % 4;
  const int i = tid / 128 * 128 + operation * 32 + tid % 128 / 4;
  if (i >= n) return;
  const float b = by[i];
  float power = 1;
  for (int k = 0; k < kRepeats / 4; k++) power *= b * b * (b * b);
  if (operation == 0)
    out[i] = in[i] + kRepeats * b;
  else if (operation == 1)
    out[i] = in[i] - kRepeats * b;
  else
    out[i] = operation == 2 ? in[i] * power : in[i] / power;
}
