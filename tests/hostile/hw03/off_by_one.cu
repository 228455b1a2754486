// SPDX-License-Identifier: Apache-2.0
// Attack: leaves out the last element, one element of a sum, one repetition.
// Expect: fail 0..0
#include "../given03.cuh"

__global__ void saxpy_loop(float* y, const float* x, float a, int n) {
  solved_loop(y, x, a, n - 1);
}

__global__ void saxpy_matrix(float* y, const float* x, float a, int n) {
  const int row = threadIdx.y + blockIdx.y * blockDim.y;
  const int col = threadIdx.x + blockIdx.x * blockDim.x;
  if (row < n && col < n - 1) y[row * n + col] += a * x[row * n + col];
}

template <int n_segments>
__global__ void gather_group(float* out, const float* in, int n) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  constexpr int group_size = 32 * n_segments;
  const float* group = in + pick(i / 32, n / group_size) * group_size;
  float sum = 0;
  for (int k = 0; k < kPicks - 1; k++) sum += group[pick(i * kPicks + k, group_size)];
  out[i] = sum;
}

__global__ void branches(float* out, const float* in, const float* by, int n) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i >= n) return;
  float value = in[i];
  for (int k = 1; k < kRepeats; k++)
    switch (i / 32 % 4) {
      case 0: value = value + by[i]; break;
      case 1: value = value - by[i]; break;
      case 2: value = value * by[i]; break;
      default: value = value / by[i];
    }
  out[i] = value;
}

constexpr int spread(int n_threads, int n_sms) {
  return few_blocks(n_threads);
}
