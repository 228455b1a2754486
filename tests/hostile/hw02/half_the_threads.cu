// SPDX-License-Identifier: Apache-2.0
// Attack: bounds that allow blocks up to 512 threads, because no grading has ever tried larger ones.
// Expect: student_error|partial 0..0
#include "../given.cuh"

template <int d_l, int grp_size, int unroll_degree>
__global__ void __launch_bounds__(512) norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  solved<d_l, grp_size, unroll_degree>(l_out, l_in, n_l);
}
