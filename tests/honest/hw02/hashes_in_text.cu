// SPDX-License-Identifier: Apache-2.0
// Style: texts with lines that look like directives, and numbered comments.
// Expect: pass 100..100
#include "../../hostile/given.cuh"

// #1: read
/*
# 2: add up
# 3 "write"
#line 4
*/
constexpr char kNotes[] = R"notes(
# 1 heading
  #define asm
#line 7 "notes.txt"
%: include </etc/passwd>
)notes";
#define SHOW(line) #line
static_assert(sizeof kNotes > 1 && sizeof SHOW(asm) == 4);

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  solved<d_l, grp_size, unroll_degree>(l_out, l_in, n_l);
}
