// SPDX-License-Identifier: Apache-2.0
// Style: a macro makes text of its parameter, which is called line, and a comment stands before the '#'.
// Expect: pass 100..100
#define PLACE(file, line) \
  file ":"                \
  /* as text */ #line
#include "../../hostile/given.cuh"

#ifdef DEBUG
__device__ const char place[] = PLACE("hw02", 7);
#endif

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  solved<d_l, grp_size, unroll_degree>(l_out, l_in, n_l);
}
