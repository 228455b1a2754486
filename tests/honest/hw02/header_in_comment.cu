// SPDX-License-Identifier: Apache-2.0
// Style: a comment mentions a header that was taken out again; names of that header are the
// file's own now.
// Expect: pass 100..100
#include "../../hostile/given.cuh"
// v1 had #include <cuda_fp16.h> here and was not precise enough; all is float again.
template <int n> constexpr int half = n / 2;
static_assert(half<8> == 4);
template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  solved<d_l, grp_size, unroll_degree>(l_out, l_in, n_l);
}
