// SPDX-License-Identifier: Apache-2.0
// Attack: an #include that the list of the preprocessor does not know.
// Expect: student_error:forbidden 0..0
#include "../given.cuh"

#define HASH #
HASH include "/usr/include/stdc-predef.h"

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  solved<d_l, grp_size, unroll_degree>(l_out, l_in, n_l);
}
