// SPDX-License-Identifier: Apache-2.0
// Style: comments and texts with all that a careless scanner would refuse.
// Expect: pass 100..100
#include "../../hostile/given.cuh"

// asm("trap;") #include "/etc/passwd" .incbin __asm__ system("rm") malloc tex1Dfetch
/* #line 1 "x"
#include "/dev/urandom"
   asm volatile("exit;"); */
constexpr char kText[] = "asm(\"x\") #include </etc/shadow> // not a comment /* nor this";
constexpr char kRaw[] = R"x(
#include "/etc/passwd"
#line 5 "nowhere"
)x";
static_assert(sizeof kText > 1 && sizeof kRaw > 1 && 1'000 > 999);

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  const int asm_count = 0, system = 0;
  if (asm_count > system) return;
  solved<d_l, grp_size, unroll_degree>(l_out, l_in, n_l);
}
