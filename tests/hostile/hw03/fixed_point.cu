// SPDX-License-Identifier: Apache-2.0
// Attack: numbers of 23 bits behind the point, which is right in [-1, 1) alone.
// Expect: partial|fail 0..33
#include "../given03.cuh"

constexpr float kOne = 8388608;  // 2^23
__device__ int fixed(float x) { return __float2int_rn(x * kOne); }

__global__ void saxpy_loop(float* y, const float* x, float a, int n) {
  const int tid = threadIdx.x + blockIdx.x * blockDim.x;
  const int n_threads = blockDim.x * gridDim.x;
  for (int i = tid; i < n; i += n_threads)
    y[i] = a * (fixed(x[i]) / kOne) + fixed(y[i]) / kOne;
}

__global__ void saxpy_matrix(float* y, const float* x, float a, int n) {
  const int row = threadIdx.y + blockIdx.y * blockDim.y;
  const int col = threadIdx.x + blockIdx.x * blockDim.x;
  const int i = row * n + col;
  if (row < n && col < n) y[i] = a * (fixed(x[i]) / kOne) + fixed(y[i]) / kOne;
}

template <int n_segments>
__global__ void gather_group(float* out, const float* in, int n) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  constexpr int group_size = 32 * n_segments;
  const float* group = in + pick(i / 32, n / group_size) * group_size;
  int sum = 0;
  for (int k = 0; k < kPicks; k++) sum += fixed(group[pick(i * kPicks + k, group_size)]);
  out[i] = sum / kOne;
}

__global__ void branches(float* out, const float* in, const float* by, int n) {
  solved_branches(out, in, by, n);
}

constexpr int spread(int n_threads, int n_sms) { return solved_spread(n_threads, n_sms); }
