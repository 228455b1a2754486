// SPDX-License-Identifier: Apache-2.0
// Style: macros with quotes, comments, pragmas and pasted names, over several lines.
// Expect: pass 100..100
#include "../../hostile/given.cuh"

#define OPEN "/*"
#define CLOSE "*/"
#define QUOTE '"'
#define UNROLLED \
  _Pragma("unroll") \
  for (int once = 0; once < 1; once++)
#define JOIN(a, b) a##b
#pragma push_macro("JOIN")
#pragma pop_macro("JOIN")
static_assert(sizeof OPEN == sizeof CLOSE && QUOTE == '"');

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  UNROLLED
  JOIN(sol, ved)<d_l, grp_size, unroll_degree>(
      l_out, l_in, n_l);
}
