// SPDX-License-Identifier: Apache-2.0
// Attack: a kernel that does nothing and hopes for a right answer left in memory.
// Expect: fail 0..0
#include "../given.cuh"

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {

}
