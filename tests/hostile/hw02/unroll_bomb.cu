// SPDX-License-Identifier: Apache-2.0
// Attack: loops that are unrolled without measure, for the compiler to work on for minutes.
// Expect: student_error:compile_timeout|student_error:compile_memory 0..0
#include "../given.cuh"

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  float sum = 0;
#pragma unroll
  for (int i = 0; i < 1000; i++) {
#pragma unroll
    for (int j = 0; j < 1000; j++) sum = sum * l_in[(i * 7 + n_l + j) % 61] + float(i % 3);
#pragma unroll
    for (int j = 0; j < 1000; j++) sum = sum * l_in[(i * 5 + n_l + j) % 67] + float(i % 7);
#pragma unroll
    for (int j = 0; j < 1000; j++) sum = sum / l_in[(i * 3 + n_l + j) % 67] + float(i % 7);
  }
  l_out[0] = sum;
}
