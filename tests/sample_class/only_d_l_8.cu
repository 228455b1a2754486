// SPDX-License-Identifier: Apache-2.0
// Sample of `make demo`: solved for vectors of 8 elements, right but not unrolled for longer ones.
#include "../hostile/given.cuh"

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  // Longer vectors are not unrolled at all.
  constexpr int degree = d_l == 8 ? unroll_degree : 1;
  solved<d_l, grp_size, degree>(l_out, l_in, n_l);
}
