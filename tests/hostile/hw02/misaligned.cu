// SPDX-License-Identifier: Apache-2.0
// Attack: loads four elements at an address that is no multiple of 16.
// Expect: student_error:crash 0..0
#include "../given.cuh"

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  const float4 v = *reinterpret_cast<const float4*>(l_in + 1);
  if (v.x + v.y + v.z + v.w == 12345) return;
  solved<d_l, grp_size, unroll_degree>(l_out, l_in, n_l);
}
