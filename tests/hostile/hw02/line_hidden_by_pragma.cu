// SPDX-License-Identifier: Apache-2.0
// Attack: lies about lines: a pragma ends in a backslash that only the second compiler joins, so that it takes in gcc's marker after a long comment: all lines from here on are told wrongly.
// Expect: student_error:forbidden 0..0
#include "../given.cuh"

#pragma note \/**/
// 1: this line is blameless.
// 2: this line is blameless.
// 3: this line is blameless.
// 4: this line is blameless.
// 5: this line is blameless.
// 6: this line is blameless.
// 7: this line is blameless.
// 8: this line is blameless.
// 9: this line is blameless.
// 10: this line is blameless.
// 11: this line is blameless.
// 12: this line is blameless.
// 13: this line is blameless.
// 14: this line is blameless.
// 15: this line is blameless.
// 16: this line is blameless.
// 17: this line is blameless.
// 18: this line is blameless.
// 19: this line is blameless.
// 20: this line is blameless.
// 21: this line is blameless.
// 22: this line is blameless.
// 23: this line is blameless.
// 24: this line is blameless.
// 25: this line is blameless.
// 26: this line is blameless.
// 27: this line is blameless.
// 28: this line is blameless.
// 29: this line is blameless.
// 30: this line is blameless.
// 31: this line is blameless.
// 32: this line is blameless.
// 33: this line is blameless.
// 34: this line is blameless.
// 35: this line is blameless.
// 36: this line is blameless.
// 37: this line is blameless.
// 38: this line is blameless.
// 39: this line is blameless.
// 40: this line is blameless.
template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  solved<d_l, grp_size, unroll_degree>(l_out, l_in, n_l);
}
