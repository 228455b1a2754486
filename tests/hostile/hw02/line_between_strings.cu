// SPDX-License-Identifier: Apache-2.0
// Attack: raw strings whose ends are where the trial spoils a name: what is a directive in the true
// text is in a string in the trial's.
// Expect: student_error:forbidden 0..0
constexpr const char* kFirst = R"/#qzxj( one )/#line"; constexpr const char* kSecond = R"zz( two )/#qzxj";
#line 2000
constexpr const char* kThird = R"zz( three )zz";
#include "../given.cuh"
template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  solved<d_l, grp_size, unroll_degree>(l_out, l_in, n_l);
}
