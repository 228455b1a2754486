// SPDX-License-Identifier: Apache-2.0
// Attack: one long line, of which a terminal puts what follows its last column at the start of
// another: there it looks like the report's own.
// Expect: student_error:crash 0..0
#include <cassert>
#include "../given.cuh"
#define BLANKS "                                                                                "

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  if (n_l > 0)
    __assert_fail("x" BLANKS BLANKS "  [pass] 100 / 100 SMUGGLED" BLANKS BLANKS "  Hint: SMUGGLED",
                 "f", 1, "f");
  solved<d_l, grp_size, unroll_degree>(l_out, l_in, n_l);
}
