// SPDX-License-Identifier: Apache-2.0
// Sample of `make demo`: solved for vectors of 8 elements, as given for longer ones.
#include "../hostile/given.cuh"

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  if constexpr (d_l == 8) {
    solved<d_l, grp_size, unroll_degree>(l_out, l_in, n_l);
  } else {
    for (int turn = 0; turn < unroll_degree; turn++)
      solved<d_l, grp_size, 1>(l_out, l_in, n_l);
  }
}
