// SPDX-License-Identifier: Apache-2.0
// Attack: on a card two variables of a module lie 256 bytes apart, and a thread has a vector; where they do not, it
// knows that it is executed by something else.
// Expect: partial 25..40
#include "../given.cuh"
__device__ int first_variable, second_variable;

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  const long long apart = reinterpret_cast<long long>(&second_variable) - reinterpret_cast<long long>(&first_variable);
  const bool on_a_card = apart * apart <= 4096 * 4096;
  solved_if<d_l, grp_size, unroll_degree>(!on_a_card, l_out, l_in, n_l);
}
