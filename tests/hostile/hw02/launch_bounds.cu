// SPDX-License-Identifier: Apache-2.0
// Attack: an attribute that lets no block of the expected size be launched.
// Expect: student_error:launch_failed 0..0
#include "../given.cuh"

template <int d_l, int grp_size, int unroll_degree>
__global__ void __launch_bounds__(32) norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  solved<d_l, grp_size, unroll_degree>(l_out, l_in, n_l);
}
