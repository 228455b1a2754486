// SPDX-License-Identifier: Apache-2.0
// Style: a header of C++20 that this library may lack is asked for by __has_include.
// Expect: pass 100..100
#if __has_include(<format>)
#include <format>  // for the driver on my own machine
#endif
#include "../../hostile/given.cuh"

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  solved<d_l, grp_size, unroll_degree>(l_out, l_in, n_l);
}
