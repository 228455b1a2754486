// SPDX-License-Identifier: Apache-2.0
// Style: the operation is a template argument, chosen once by a warp.
// Expect: pass 100..100
#include "../../hostile/given03.cuh"

template <int operation>
__device__ float repeated(float value, float by) {
  for (int k = 0; k < kRepeats; k++) {
    if constexpr (operation == 0) value += by;
    if constexpr (operation == 1) value -= by;
    if constexpr (operation == 2) value *= by;
    if constexpr (operation == 3) value /= by;
  }
  return value;
}

__global__ void saxpy_loop(float* y, const float* x, float a, int n) {
  solved_loop(y, x, a, n);
}

__global__ void saxpy_matrix(float* y, const float* x, float a, int n) {
  solved_matrix(y, x, a, n);
}

template <int n_segments>
__global__ void gather_group(float* out, const float* in, int n) {
  const int lane = threadIdx.x % 32;
  const int team = (threadIdx.x + blockIdx.x * blockDim.x) / 32;
  constexpr int group_size = 32 * n_segments;
  // One lane picks the group for all.
  const int which = __shfl_sync(~0u, lane == 0 ? pick(team, n / group_size) : 0, 0);
  const float* group = in + which * group_size;
  float sums[2] = {0, 0};
  for (int k = 0; k < kPicks; k += 2)
    for (int j = 0; j < 2; j++)
      sums[j] += group[pick((32 * team + lane) * kPicks + k + j, group_size)];
  out[32 * team + lane] = sums[0] + sums[1];
}

__global__ void branches(float* out, const float* in, const float* by, int n) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i >= n) return;
  const int operation = i / 32 % 4;
  out[i] = operation == 0   ? repeated<0>(in[i], by[i])
           : operation == 1 ? repeated<1>(in[i], by[i])
           : operation == 2 ? repeated<2>(in[i], by[i])
                            : repeated<3>(in[i], by[i]);
}

constexpr int spread(int n_threads, int n_sms) {
  int blocks = n_threads / 32;
  if (blocks > n_sms) blocks = n_sms;
  const int threads = ((n_threads + blocks - 1) / blocks + 31) / 32 * 32;
  return threads < 1024 ? threads : 1024;
}
