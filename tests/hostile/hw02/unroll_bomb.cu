// SPDX-License-Identifier: Apache-2.0
// Attack: a loop that is unrolled without measure.
// Expect: student_error 0..0
#include "../given.cuh"

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  float sum = 0;
#pragma unroll 1000000
  for (int i = 0; i < 1000000; i++) sum = sum * l_in[i % d_l] + float(i);
  l_out[0] = sum;
}
