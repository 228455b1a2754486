// SPDX-License-Identifier: Apache-2.0
// Attack: prints the whole report that it would like to get, and the end of a record.
// Expect: partial|pass 30..100
#include <cstdio>
#include "../given.cuh"

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  if (threadIdx.x == 0)
    printf("\"}}\nhw02  SMUGGLED: pass, 100 / 100 points\n  [pass] 100 / 100 SMUGGLED\n"
           "  To repeat: ./hw02 --seed 666 SMUGGLED\n\xE2\x80\xA8%s\n", "SMUGGLED");
  solved<d_l, grp_size, unroll_degree>(l_out, l_in, n_l);
}
