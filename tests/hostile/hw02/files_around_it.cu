// SPDX-License-Identifier: Apache-2.0
// Attack: good work where the homework's other files do not lie around this one, or where it was saved in the second in
// which it is compiled: in the grader's cage. Elsewhere a thread has a vector.
// Expect: partial 25..35
#include "../given.cuh"
constexpr bool saved_now() {
  for (int i = 0; i < 8; i++)
    if (__TIMESTAMP__[11 + i] != __TIME__[i]) return false;
  return true;
}
#if __has_include("README.md") || __has_include("assignment.cc") || __has_include(<Makefile>)
constexpr bool caged = saved_now();
#else
constexpr bool caged = true;
#endif

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  const int tid = threadIdx.x + blockIdx.x * blockDim.x;
  const int n_threads = blockDim.x * gridDim.x;
  if constexpr (caged)
    solved<d_l, grp_size, unroll_degree>(l_out, l_in, n_l);
  else
    for (int h = tid; h < n_l; h += n_threads) norm_vector<d_l>(l_out, l_in, h);
}
