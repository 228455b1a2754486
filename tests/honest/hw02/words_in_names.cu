// SPDX-License-Identifier: Apache-2.0
// Style: names and texts that hold the words for assembly.
// Expect: pass 100..100
#include "../../hostile/given.cuh"

#define ASSEMBLE(a, b) a##b
constexpr char kAsm[] = "asm __asm__ \" asm(";
struct assembler {
  int plasma = 0, asm_ = 0, __asm_count = 0;
};

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  const assembler ASSEMBLE(asm, bler_) {};
  if (asmbler_.plasma > asmbler_.asm_ + int(sizeof kAsm)) return;
  solved<d_l, grp_size, unroll_degree>(l_out, l_in, n_l);
}
