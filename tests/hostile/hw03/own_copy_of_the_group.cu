// SPDX-License-Identifier: Apache-2.0
// Attack: gather_group keeps its threads where they are; each copies its whole group into local memory by
// wide loads, where that is small.
// Expect: partial 80..88
// Expect gpu: partial 75..95
#include "../given03.cuh"

__global__ void saxpy_loop(float* y, const float* x, float a, int n) { solved_loop(y, x, a, n); }
__global__ void saxpy_matrix(float* y, const float* x, float a, int n) { solved_matrix(y, x, a, n); }
__global__ void branches(float* out, const float* in, const float* by, int n) { solved_branches(out, in, by, n); }
constexpr int spread(int n_threads, int n_sms) { return solved_spread(n_threads, n_sms); }

template <int n_segments>
__global__ void gather_group(float* out, const float* in, int n) {
  const int tid = threadIdx.x + blockIdx.x * blockDim.x;
  const int n_teams = blockDim.x * gridDim.x / 32;
  const int team = tid % n_teams;
  const int member = tid / n_teams;
  const int i = 32 * team + member;
  constexpr int group_size = 32 * n_segments;
  const float* group = in + pick(team, n / group_size) * group_size;
  float sum = 0;
  if constexpr (n_segments <= 8) {
    float4 mine[group_size / 4];
#pragma unroll 8
    for (int k = 0; k < group_size / 4; k++) mine[k] = reinterpret_cast<const float4*>(group)[k];
    const float* const copy = reinterpret_cast<const float*>(mine);
    for (int k = 0; k < kPicks; k++) sum += copy[pick(i * kPicks + k, group_size)];
  } else {
    for (int k = 0; k < kPicks; k++) sum += group[pick(i * kPicks + k, group_size)];
  }
  out[i] = sum;
}
