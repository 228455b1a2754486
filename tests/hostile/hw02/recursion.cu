// SPDX-License-Identifier: Apache-2.0
// Attack: calls itself until local memory is used up.
// Expect: student_error 0..0
#include "../given.cuh"

__device__ __noinline__ float deeper(const volatile float* in, int n) {
  float kept[64];
  for (int i = 0; i < 64; i++) kept[i] = in[0] + i;
  if (n == -12345) return 0;
  const float below = deeper(in, n + 1);
  return below + kept[int(below) & 63];
}

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  l_out[threadIdx.x % d_l] = deeper(l_in, n_l);
}
