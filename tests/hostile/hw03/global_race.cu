// SPDX-License-Identifier: Apache-2.0
// Attack: threads of a warp exchange sums through global memory without waiting.
// Expect emulator: partial 55..80
// Expect gpu: pass 100..100
#include "../given03.cuh"

__global__ void saxpy_loop(float* y, const float* x, float a, int n) {
  solved_loop(y, x, a, n);
}

__global__ void saxpy_matrix(float* y, const float* x, float a, int n) {
  solved_matrix(y, x, a, n);
}

template <int n_segments>
__global__ void gather_group(float* out, const float* in, int n) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  constexpr int group_size = 32 * n_segments;
  const float* group = in + pick(i / 32, n / group_size) * group_size;
  float sum = 0;
  for (int k = 0; k < kPicks; k++) sum += group[pick((i ^ 1) * kPicks + k, group_size)];
  out[i] = sum;
  const float other = out[i ^ 1];
  out[i] = other;
}

__global__ void branches(float* out, const float* in, const float* by, int n) {
  solved_branches(out, in, by, n);
}

constexpr int spread(int n_threads, int n_sms) {
  return solved_spread(n_threads, n_sms);
}
