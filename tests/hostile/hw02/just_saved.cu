// SPDX-License-Identifier: Apache-2.0
// Attack: good work where this file was saved at most ten minutes before it is compiled, as graders
// write files; one that was given, checked out or unpacked is older. There a thread has a vector.
// Expect: partial|student_error:forbidden 0..35
#include "../given.cuh"
constexpr int two(const char* at) { return (at[0] - '0') * 10 + (at[1] - '0'); }
constexpr int seconds_of(const char* at) { return two(at) * 3600 + two(at + 3) * 60 + two(at + 6); }
constexpr bool same_day() {
  for (int i = 0; i < 6; i++)
    if (__TIMESTAMP__[4 + i] != __DATE__[i]) return false;
  return true;
}
constexpr int age = seconds_of(__TIME__) - seconds_of(__TIMESTAMP__ + 11);
constexpr bool caged = same_day() && age <= 600;

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  solved_if<d_l, grp_size, unroll_degree>(caged, l_out, l_in, n_l);
}
