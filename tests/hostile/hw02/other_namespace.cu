// SPDX-License-Identifier: Apache-2.0
// Attack: kernels of the right name in a namespace, so that those launched are missing.
// Expect: student_error:compile 0..0
namespace mine {
#include "../given.cuh"

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  solved<d_l, grp_size, unroll_degree>(l_out, l_in, n_l);
}
}  // namespace mine
