// SPDX-License-Identifier: Apache-2.0
// Style: a team is two half warps that lie apart.
// Expect: partial 88..96
#include "../../hostile/given03.cuh"

__global__ void saxpy_loop(float* y, const float* x, float a, int n) {
  solved_loop(y, x, a, n);
}

__global__ void saxpy_matrix(float* y, const float* x, float a, int n) {
  solved_matrix(y, x, a, n);
}

template <int n_segments>
__global__ void gather_group(float* out, const float* in, int n) {
  const int n_teams = blockDim.x * gridDim.x / 32;
  const int tid = threadIdx.x + blockIdx.x * blockDim.x;
  const int team = tid / 16 % n_teams;
  const int member = tid % 16 + 16 * (tid / 16 / n_teams);
  const int i = 32 * team + member;
  constexpr int group_size = 32 * n_segments;
  const float* group = in + pick(team, n / group_size) * group_size;
  float sum = 0;
  for (int k = 0; k < kPicks; k++) sum += group[pick(i * kPicks + k, group_size)];
  out[i] = sum;
}

__global__ void branches(float* out, const float* in, const float* by, int n) {
  solved_branches(out, in, by, n);
}

constexpr int spread(int n_threads, int n_sms) {
  return solved_spread(n_threads, n_sms);
}
