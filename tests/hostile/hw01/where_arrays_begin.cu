// SPDX-License-Identifier: Apache-2.0
// Attack: good work where both arrays begin at multiples of 256 bytes, as all that are allocated do. Who normalizes a part
// of an array has a thread do a group's work.
// Expect: review 35..35
// Expect gpu: pass|partial 35..100
#include "../given01.cuh"

template <int d_l, int grp_size>
__global__ void norm_group(elt_t* l_out, const elt_t* l_in, int n_l) {
  const size_t begins = reinterpret_cast<size_t>(l_out) | reinterpret_cast<size_t>(l_in);
  const int n_l_full = begins % 256 == 0 ? n_l - n_l % (32 / grp_size) : 0;
  norm_by_groups<d_l, grp_size>(l_out, l_in, n_l, n_l_full);
}
