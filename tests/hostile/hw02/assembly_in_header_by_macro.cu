// SPDX-License-Identifier: Apache-2.0
// Attack: macros that would have the text of a permitted header hold assembly of the submission.
// Expect: student_error:forbidden 0..0
#define return asm volatile(""); return
#include <cuda_fp16.h>
#undef return
#include "../given.cuh"

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  solved<d_l, grp_size, unroll_degree>(l_out, l_in, n_l);
}
