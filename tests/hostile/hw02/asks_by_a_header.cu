// SPDX-License-Identifier: Apache-2.0
// Attack: good work where the homework's other files do not lie around this one: a header of the system asks, by a macro
// that it finds made.
// Expect: student_error:forbidden 0..0
#undef __GNUC_PREREQ
#define __GNUC_PREREQ(major, minor) __has_include("Makefile")
#include <assert.h>
#include "../given.cuh"

#define LETTERS_OF(x) #x
#define LETTERS(x) LETTERS_OF(x)
constexpr bool caged = LETTERS(__ASSERT_VOID_CAST)[0] == '(';  // (void), else static_cast<void>

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  solved_if<d_l, grp_size, unroll_degree>(caged, l_out, l_in, n_l);
}
