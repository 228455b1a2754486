// SPDX-License-Identifier: Apache-2.0
// Attack: a directive about lines between strings whose delimiters look like one.
// Expect: student_error:forbidden 0..0
#include "../given.cuh"

#define DROP(x)
DROP(R"/#line( one )/#line" R"zz( two )/#line")
#line 2000
DROP(R"zz( three )zz")

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  solved<d_l, grp_size, unroll_degree>(l_out, l_in, n_l);
}
