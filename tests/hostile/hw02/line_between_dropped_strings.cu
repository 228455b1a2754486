// SPDX-License-Identifier: Apache-2.0
// Attack: as line_between_strings, the strings given to a macro that drops them, so that the second
// compiler does not see them. (After the first run of that one.)
// Expect: student_error:forbidden 0..0
#define DROP(x)
DROP(R"/#qzxj( one )/#line" R"zz( two )/#qzxj")
#line 2000
DROP(R"zz( three )zz")
#include "../given.cuh"
template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  solved<d_l, grp_size, unroll_degree>(l_out, l_in, n_l);
}
