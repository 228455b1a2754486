// SPDX-License-Identifier: Apache-2.0
// Attack: how many registers norm_group has hangs on a function that a kernel which nobody launches has the address of: as
// make builds it no block of more than 8 warps fits on an SM.
// Expect: student_error:launch_failed 0..0
#include "../given01.cuh"

using Count = int (*)(int);
__device__ __noinline__ int all_of(int n) { return n; }
__constant__ Count count_of = all_of;

template <int d_l, int grp_size>
__global__ void norm_group(elt_t* l_out, const elt_t* l_in, int n_all) {
  const int n_l = count_of(n_all);
  norm_by_groups<d_l, grp_size>(l_out, l_in, n_l, n_l - n_l % (32 / grp_size));
}

__device__ float many[256];
__device__ __noinline__ int heavy(int n) {
  float v[240];
  const volatile float* const from = many;
#pragma unroll
  for (int i = 0; i < 240; i++) v[i] = from[i];
  float sum = n;
#pragma unroll
  for (int i = 0; i < 240; i++) sum = sum * v[239 - i] + v[(7 * i + 3) % 240];
  return static_cast<int>(sum);
}
__constant__ Count spare = heavy;
__global__ void trial(int* out, int n) { out[0] = spare(n); }
