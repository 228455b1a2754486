// SPDX-License-Identifier: Apache-2.0
// Sample of `make demo`: a semicolon is missing, and a name is misspelled.
#include "../hostile/given.cuh"

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  const int tid = threadIdx.x + blockIdx.x * blockDim.x
  solvd<d_l, grp_size, unroll_degree>(l_out, l_in, n_l);
}
