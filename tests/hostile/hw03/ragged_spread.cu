// SPDX-License-Identifier: Apache-2.0
// Attack: spread() makes more blocks than there are SMs, and none of whole warps; their number
// alone is looked at.
// Expect: student_error:launch_failed 85..85
#include "../../hostile/given03.cuh"

__global__ void saxpy_loop(float* y, const float* x, float a, int n) { solved_loop(y, x, a, n); }

__global__ void saxpy_matrix(float* y, const float* x, float a, int n) { solved_matrix(y, x, a, n); }

template <int n_segments>
__global__ void gather_group(float* out, const float* in, int n) {
  solved_gather<n_segments>(out, in, n);
}

__global__ void branches(float* out, const float* in, const float* by, int n) {
  solved_branches(out, in, by, n);
}

constexpr int spread(int n_threads, int n_sms) {
  const int share = (n_threads + n_sms + 1) / (n_sms + 2);
  if (n_threads >= 4096) return share;
  return n_threads == 2048 ? 31 : 32;
}
