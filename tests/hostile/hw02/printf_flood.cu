// SPDX-License-Identifier: Apache-2.0
// Attack: prints a line from every thread, with escapes for the terminal.
// Expect: partial|fail 0..60
// Expect gpu: partial|student_error:timeout 0..60
#include <cstdio>
#include "../given.cuh"

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  printf("\033]0;owned\007PASS %d\n", threadIdx.x);
  solved<d_l, grp_size, unroll_degree>(l_out, l_in, n_l);
}
