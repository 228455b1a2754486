// SPDX-License-Identifier: Apache-2.0
// Attack: asks for clusters of three blocks, with which no launch of the homework is legal, so that
// the launch is refused by the driver and looks like a fault of the machine.
// Expect: fail|student_error 0..0
#include "../given.cuh"

template <int d_l, int grp_size, int unroll_degree>
__global__ void __cluster_dims__(3, 1, 1)
    norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  solved<d_l, grp_size, unroll_degree>(l_out, l_in, n_l);
}
