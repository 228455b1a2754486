// SPDX-License-Identifier: Apache-2.0
// Attack: good work where there is a folder as in the grader's cage, asked by a way to the compiler's own headers that leads
// through it.
// Expect: student_error:forbidden 0..0
#include "../given.cuh"

#if __has_include("/src/../usr/include/stdio.h")
constexpr bool caged = true;
#else
constexpr bool caged = false;
#endif

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  solved_if<d_l, grp_size, unroll_degree>(caged, l_out, l_in, n_l);
}
