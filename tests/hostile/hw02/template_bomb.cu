// SPDX-License-Identifier: Apache-2.0
// Attack: templates that instantiate each other without end.
// Expect: student_error 0..0
#include "../given.cuh"

template <int a, int b>
struct Bomb {
  static constexpr int value = Bomb<2 * a, b - 1>::value + Bomb<2 * a + 1, b - 1>::value;
};
template <int a>
struct Bomb<a, 0> {
  static constexpr int value = a;
};

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  l_out[0] = Bomb<0, 40>::value;
  solved<d_l, grp_size, unroll_degree>(l_out, l_in, n_l);
}
