// SPDX-License-Identifier: Apache-2.0
// Attack: busy leaves out every second element where a table's rows of few blocks are launched, with as many turns as a
// table has.
// Expect: partial 85..85
#define busy given_busy
#include "../given03.cuh"
#undef busy

__device__ __noinline__ bool leaves_out(int i, int n) {
  return blockDim.x == 1024 && (n & (n - 1)) == 0 && i % 2 != 0;
}

__global__ void busy(float* out, const float* in, int turns, int n) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i >= n) return;
  if (turns >= 200 && leaves_out(i, n)) return;
  float value = 0;
  for (int k = 0; k < turns; k++) value = 0.75f * value + in[i];
  out[i] = value;
}

__global__ void saxpy_loop(float* y, const float* x, float a, int n) { solved_loop(y, x, a, n); }
__global__ void saxpy_matrix(float* y, const float* x, float a, int n) { solved_matrix(y, x, a, n); }
template <int n_segments>
__global__ void gather_group(float* out, const float* in, int n) { solved_gather<n_segments>(out, in, n); }
__global__ void branches(float* out, const float* in, const float* by, int n) { solved_branches(out, in, by, n); }
constexpr int spread(int n_threads, int n_sms) { return solved_spread(n_threads, n_sms); }
