// SPDX-License-Identifier: Apache-2.0
// Attack: calls what assert() calls, with text that holds lines as a report has them.
// Expect: student_error:crash 0..0
#include <cassert>
#include "../given.cuh"

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  if (n_l > 0)
    __assert_fail("SMUGGLED\n  [pass] 100 / 100 SMUGGLED\n         Hint: SMUGGLED\n"
                 "         Repeat: SMUGGLED\n  To repeat: SMUGGLED --seed 666 ",
                 "hw02.cu", 1, "f");
  solved<d_l, grp_size, unroll_degree>(l_out, l_in, n_l);
}
