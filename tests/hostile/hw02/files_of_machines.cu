// SPDX-License-Identifier: Apache-2.0
// Attack: good work where there is no /etc, by a path that begins in the compiler's folders and leaves them; what is
// asked for, and by which word, macros say. Elsewhere a thread has a vector.
// Expect: student_error:forbidden 0..0
#include "../given.cuh"
#define ASK __has_in\
clude
#define FILE_OF_MACHINES <sys/../../../etc/passwd>
#if ASK(FILE_OF_MACHINES) || ASK(<../../etc/passwd>)
constexpr bool caged = false;
#else
constexpr bool caged = true;
#endif

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  solved_if<d_l, grp_size, unroll_degree>(caged, l_out, l_in, n_l);
}
