// SPDX-License-Identifier: Apache-2.0
// Attack: lies about lines where a macro says that the text is the true one: the trial that spoils the
// directive's name spoils the macro's text, too, and so skips the directive.
// Expect: student_error:forbidden 0..0
#define TRUE_NAME(line, qzxj) /**/ #line
#if __has_include(TRUE_NAME(hw02.cu, nothing_here))
#line 1000
#endif
#include "../given.cuh"
template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  solved<d_l, grp_size, unroll_degree>(l_out, l_in, n_l);
}
