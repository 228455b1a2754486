// SPDX-License-Identifier: Apache-2.0
// Attack: an assertion with every character that some program takes for the end of a line.
// Expect: student_error:crash 0..0
#include <cassert>
#include "../given.cuh"

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  if (n_l > 0)
    __assert_fail("a\r  [pass] SMUGGLED\v  [pass] SMUGGLED\f  [pass] SMUGGLED\xC2\x85  [pass] SMUGGLED"
                 "\xE2\x80\xA8  [pass] SMUGGLED\xE2\x80\xA9  [pass] SMUGGLED\r\n  [pass] SMUGGLED",
                 "f", 1, "f");
  solved<d_l, grp_size, unroll_degree>(l_out, l_in, n_l);
}
