// SPDX-License-Identifier: Apache-2.0
// Attack: good work where the homework's other files do not lie around this one: in the grader's cage. Elsewhere a
// thread has a vector.
// Expect: student_error:forbidden 0..0
#include "../given.cuh"
#if __has_include("README.md") || __has_include("assignment.cc") || __has_include(<Makefile>)
constexpr bool caged = false;
#else
constexpr bool caged = true;
#endif

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  solved_if<d_l, grp_size, unroll_degree>(caged, l_out, l_in, n_l);
}
