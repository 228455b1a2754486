// SPDX-License-Identifier: Apache-2.0
// Attack: the first block alone does all of saxpy_loop and of saxpy_matrix, and one warp in six all
// of gather_group; the others leave at once. What the busiest warp is granted is more than it
// takes.
// Expect: partial 60..60
#include "../../hostile/given03.cuh"
__global__ void saxpy_loop(float* y, const float* x, float a, int n) {
  if (blockIdx.x) return;
  for (int i = threadIdx.x; i < n; i += blockDim.x) y[i] = a * x[i] + y[i];
}
__global__ void saxpy_matrix(float* y, const float* x, float a, int n) {
  if (blockIdx.x + blockIdx.y) return;
  for (int row = threadIdx.y; row < n; row += blockDim.y)
    for (int col = threadIdx.x; col < n; col += 32) y[row * n + col] += a * x[row * n + col];
}
template <int n_segments>
__global__ void gather_group(float* out, const float* in, int n) {
  const int warp = (threadIdx.x + blockIdx.x * blockDim.x) / 32, n_teams = blockDim.x * gridDim.x / 32;
  constexpr int group_size = 32 * n_segments;
  for (int team = 6 * warp; team < min(6 * warp + 6, n_teams); team++) {
    const int i = 32 * team + threadIdx.x % 32;
    const float* group = in + pick(team, n / group_size) * group_size;
    float sum = 0;
    for (int k = 0; k < kPicks; k++) sum += group[pick(i * kPicks + k, group_size)];
    out[i] = sum;
  }
}
__global__ void branches(float* out, const float* in, const float* by, int n) { solved_branches(out, in, by, n); }
constexpr int spread(int n_threads, int n_sms) { return solved_spread(n_threads, n_sms); }
