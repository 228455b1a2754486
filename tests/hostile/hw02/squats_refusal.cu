// SPDX-License-Identifier: Apache-2.0
// Attack: the word that the grader once put in the place of asm is made the name of a function, so
// that a statement of assembly without operands is a call of it, and compiles.
// Expect: student_error:forbidden 0..0
#include "../given.cuh"

__device__ __forceinline__ void inline_assembly_is_not_allowed_in_this_homework(const char*) {}

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  asm("griddepcontrol.wait;");
  solved<d_l, grp_size, unroll_degree>(l_out, l_in, n_l);
}
