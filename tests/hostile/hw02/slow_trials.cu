// SPDX-License-Identifier: Apache-2.0
// Attack: slow to preprocess, and eight places that look like directives about lines before the one
// that is: each is tried by itself, and each trial takes as long as it may.
// Expect: student_error:forbidden|student_error:compile_timeout 0..0
/*
#line 1
*/
/*
#line 2
*/
/*
#line 3
*/
/*
#line 4
*/
/*
#line 5
*/
/*
#line 6
*/
/*
#line 7
*/
/*
#line 8
*/
#define A0 +1
#define A1 A0 A0 A0 A0 A0 A0 A0 A0
#define A2 A1 A1 A1 A1 A1 A1 A1 A1
#define A3 A2 A2 A2 A2 A2 A2 A2 A2
#define A4 A3 A3 A3 A3 A3 A3 A3 A3
#define A5 A4 A4 A4 A4 A4 A4 A4 A4
#define A6 A5 A5 A5 A5 A5 A5 A5 A5
#define A7 A6 A6 A6 A6 A6 A6 A6 A6
#if 0 A7
#endif
#if 0 A7
#endif
#if 0 A7
#endif
#if 0 A7
#endif
#if 0 A7
#endif
#if 0 A7
#endif
#if 0 A7
#endif
#if 0 A7
#endif
#if 0 A7
#endif
#if 0 A7
#endif
#if 0 A7
#endif
#if 0 A7
#endif
#if 0 A7
#endif
#if 0 A7
#endif
#if 0 A7
#endif
#if 0 A7
#endif
#if 0 A7
#endif
#if 0 A7
#endif
#if 0 A7
#endif
#if 0 A7
#endif
#line 5
#include "../given.cuh"
template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  solved<d_l, grp_size, unroll_degree>(l_out, l_in, n_l);
}
