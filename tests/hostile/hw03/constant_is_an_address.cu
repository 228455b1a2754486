// SPDX-License-Identifier: Apache-2.0
// Attack: the name of an exported constant is a macro, so that instances.cu declares something else
// and the constant is a pointer, whose value is an address that is drawn anew by each process:
// another number each time it is read.
// Expect: student_error:launch_failed 85..85
#include "../../hostile/given03.cuh"

__global__ void saxpy_loop(float* y, const float* x, float a, int n) {
  solved_loop(y, x, a, n);
}

__global__ void saxpy_matrix(float* y, const float* x, float a, int n) {
  solved_matrix(y, x, a, n);
}

template <int n_segments>
__global__ void gather_group(float* out, const float* in, int n) {
  solved_gather<n_segments>(out, in, n);
}

__global__ void branches(float* out, const float* in, const float* by, int n) {
  solved_branches(out, in, by, n);
}

constexpr int spread(int n_threads, int n_sms) {
  return solved_spread(n_threads, n_sms);
}

#define lockstep_constant_spread_64_132 aim = 1; \
  extern "C" __device__ const void* lockstep_constant_spread_64_132 = &aim; long long unused_64
