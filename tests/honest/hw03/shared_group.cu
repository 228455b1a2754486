// SPDX-License-Identifier: Apache-2.0
// Style: a warp fetches its group into shared memory, where it fits, and picks there.
// Expect: pass 100..100
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
  const float* group = in + pick(i / 32, n / group_size) * group_size;
  float sum = 0;
  if constexpr (n_segments <= 8) {
    __shared__ float groups[32][group_size];
    float* mine = groups[threadIdx.x / 32];
    for (int j = threadIdx.x % 32; j < group_size; j += 32) mine[j] = group[j];
    __syncwarp();
    for (int k = 0; k < kPicks; k++) sum += mine[pick(i * kPicks + k, group_size)];
  } else {
    for (int k = 0; k < kPicks; k++) sum += group[pick(i * kPicks + k, group_size)];
  }
  out[i] = sum;
}

__global__ void branches(float* out, const float* in, const float* by, int n) {
  solved_branches(out, in, by, n);
}

constexpr int spread(int n_threads, int n_sms) {
  return solved_spread(n_threads, n_sms);
}
