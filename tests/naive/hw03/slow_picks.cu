// SPDX-License-Identifier: Apache-2.0
// Style: finds the group anew for every pick.
// Expect: partial 95..95
#include "../../hostile/given03.cuh"

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
  float sum = 0;
  for (int e = i * kPicks; e < (i + 1) * kPicks; e++) {
    const int team = e / kPicks / 32;
    const float* group = in + pick(team, n / group_size) * group_size;
    sum += group[pick(e, group_size)];
  }
  out[i] = sum;
}

__global__ void branches(float* out, const float* in, const float* by, int n) {
  solved_branches(out, in, by, n);
}

constexpr int spread(int n_threads, int n_sms) {
  return solved_spread(n_threads, n_sms);
}
