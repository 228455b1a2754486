// SPDX-License-Identifier: Apache-2.0
// Attack: the work is in a kernel of another name; the one that is launched is empty.
// Expect: fail 0..0
#include "../given.cuh"

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {

}

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u_real(elt_t* l_out, const elt_t* l_in, int n_l) {
  solved<d_l, grp_size, unroll_degree>(l_out, l_in, n_l);
}
template __global__ void norm_group_u_real<8, 8, 4>(float*, const float*, int);
