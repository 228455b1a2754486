// SPDX-License-Identifier: Apache-2.0
// Style: a comment with a list of "#1" and a time stamp in a variable.
// Expect: pass 100..100
#include <cub/warp/warp_reduce.cuh>
/* Ideas that I tried:
   #1 h + h_inc: slow
   #2 neighbours: conflicts
   #3 this one
*/
__device__ const char built[] = "built " __DATE__ " " __TIME__ " of " __TIMESTAMP__;
#include "../../hostile/given.cuh"
template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  solved<d_l, grp_size, unroll_degree>(l_out, l_in, n_l);
  if (n_l < 0) l_out[0] = built[-n_l % 8];
}
